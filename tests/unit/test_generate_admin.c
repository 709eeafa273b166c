/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_generate_admin.c - commands for containers, users and packages. */
#include "generated.h"
#include "unit.h"

static const struct generated dock_rows[] = {
    {"run an nginx container named web on port 8080:80 in the background",
     "docker run -d --name web -p 8080:80 nginx"},
    {"run an interactive ubuntu container and remove it when it exits",
     "docker run -it --rm ubuntu"},
    {"start a postgres container with port 5432",
     "docker run -p 5432:5432 postgres"},
    {"list running containers", "docker ps"},
    {"stop all podman containers", "podman stop $(podman ps -q)"},
    {"stop all docker containers", "docker stop $(docker ps -q)"},
    {"list all docker containers, also stopped ones", "docker ps -a"},
    {"show the last 100 lines of the logs of container web",
     "docker logs --tail 100 web"},
    {"follow the logs of the container api", "docker logs -f api"},
    {"open a shell in the container web", "docker exec -it web sh"},
    {"run the command \"ls -l /app\" in container web",
     "docker exec web ls -l /app"},
    {"stop the container web", "docker stop web"},
    {"remove the container web", "docker rm web"},
    {"force remove container web", "docker rm -f web"},
    {"stop all containers", "docker stop $(docker ps -q)"},
    {"remove all stopped containers", "docker container prune"},
    {"list docker images", "docker images"},
    {"delete the docker image myapp", "docker rmi myapp"},
    {"remove dangling images", "docker image prune"},
    {"build a docker image tagged myapp:1.2 from the current directory",
     "docker build -t myapp:1.2 ."},
    {"build an image named shop with the dockerfile build/Dockerfile",
     "docker build -t shop -f build/Dockerfile ."},
    {"copy config.yml into the container web at /etc/app",
     "docker cp config.yml web:/etc/app"},
    {"copy /var/log/app.log from container web to /tmp",
     "docker cp web:/var/log/app.log /tmp"},
    {"pull the docker image redis", "docker pull redis"},
    {"clean up everything unused in docker", "docker system prune"},
    {"list docker volumes", "docker volume ls"},
    {"create a docker network called backend", "docker network create backend"},
    {"show cpu and memory usage of containers", "docker stats"},
    {"restart the container db", "docker restart db"},
    {"inspect container web", "docker inspect web"},
};

static void
containers_are_run_and_looked_into(void **state)
{
    (void)state;
    generated_check(dock_rows, sizeof(dock_rows) / sizeof(dock_rows[0]));
}

static const struct generated acc_rows[] = {
    {"create a user called bob with a home directory", "sudo useradd -m bob"},
    {"add user alice with the shell /bin/zsh",
     "sudo useradd -s /bin/zsh alice"},
    {"create a system user named backup without home",
     "sudo useradd -r -M backup"},
    {"create the user eve in the group staff", "sudo useradd -G staff eve"},
    {"delete the user bob", "sudo userdel bob"},
    {"delete user bob and his home directory", "sudo userdel -r bob"},
    {"add bob to the group docker", "sudo usermod -aG docker bob"},
    {"remove bob from the group staff", "sudo gpasswd -d bob staff"},
    {"rename the user bob to robert", "sudo usermod -l robert bob"},
    {"lock the account bob", "sudo usermod -L bob"},
    {"install htop", "sudo apt install htop"},
    {"install the packages htop and tmux without asking",
     "sudo apt install -y htop tmux"},
    {"uninstall nginx", "sudo apt remove nginx"},
    {"remove the package cups", "sudo apt remove cups"},
    {"which packages depend on libssl3",
     "apt-cache rdepends --installed libssl3"},
    {"show the dependencies of the package curl", "apt-cache depends curl"},
    {"hold the package docker-ce", "sudo apt-mark hold docker-ce"},
    {"list the files of the package bash", "dpkg -L bash"},
    {"which version of nginx is available as package",
     "apt-cache policy nginx"},
    {"reinstall the package grub-pc", "sudo apt install --reinstall grub-pc"},
};

static void
users_and_packages_are_added(void **state)
{
    (void)state;
    generated_check(acc_rows, sizeof(acc_rows) / sizeof(acc_rows[0]));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers_are_run_and_looked_into),
        cmocka_unit_test(users_and_packages_are_added),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
