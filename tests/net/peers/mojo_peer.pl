#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
# mojo_peer.pl - the flow of run.py by Mojo::UserAgent.
#     mojo_peer.pl bus|gateway URL
use strict;
use warnings;
use utf8;
use Mojo::IOLoop;
use Mojo::JSON qw(true);
use Mojo::UserAgent;
use constant {PATIENCE => 10, LONG => 300000};

my ($flow, $url) = @ARGV;
my $agent = Mojo::UserAgent->new;

sub wait_for {
    my ($what, $condition) = @_;
    my $end = time + PATIENCE;
    until ($condition->()) {
        die "$what does not come\n" if time > $end;
        Mojo::IOLoop->one_tick;
    }
}

sub opened {
    my $one = {messages => []};
    my $tick = Mojo::IOLoop->recurring(0.1 => sub { });
    $agent->websocket($url => sub {
        my ($self, $tx) = @_;
        $one->{refused} = 1 unless $tx->is_websocket;
        $one->{tx} = $tx;
        return if $one->{refused};
        $tx->max_websocket_size(1 << 20);
        $tx->on(json => sub { push @{$one->{messages}}, $_[1] });
        $tx->on(frame => sub {
            my $frame = $_[1];
            $one->{pong} = $frame->[5] if $frame->[4] == 10;
            $one->{code} = unpack 'n', $frame->[5] if $frame->[4] == 8;
        });
        $tx->on(finish => sub { $one->{over} = 1 });
    });
    wait_for('the handshake', sub { $one->{tx} });
    die "no WebSocket\n" if $one->{refused};
    return $one;
}

sub receive {
    my $one = shift;
    wait_for('a message', sub { @{$one->{messages}} });
    return shift @{$one->{messages}};
}

sub ping {
    my $one = shift;
    $one->{tx}->send([1, 0, 0, 0, 9, 'hello']);
    wait_for('a pong', sub { defined $one->{pong} });
    die "another pong\n" if $one->{pong} ne 'hello';
}

sub closed {
    my $one = shift;
    $one->{tx}->finish(1000);
    wait_for('the end', sub { $one->{over} });
    die "closed with " . ($one->{code} // 'none') . "\n"
        unless ($one->{code} // 0) == 1000;
}

sub ask {
    my ($one, $id, $method, $params) = @_;
    $one->{tx}->send({json => {jsonrpc => '2.0', id => $id,
                               method => $method, params => $params}});
    my $answer = receive($one);
    die "$method is refused\n" unless $answer->{result} && $answer->{id} == $id;
    return $answer->{result};
}

sub publish {
    my ($sender, $taker, $id, $text) = @_;
    $sender->{tx}->send({json => {jsonrpc => '2.0', id => $id,
        method => 'sendMessage', params => {topic => 'inbound:chat-1',
                                            payload => {text => $text}}}});
    my $request = receive($taker);
    die "another text\n" if $request->{params}{payload}{text} ne $text;
    $taker->{tx}->send({json => {jsonrpc => '2.0', id => $request->{id},
        result => {success => true, stopPropagation => true}}});
    my $answer = receive($sender);
    die "not stopped\n"
        unless $answer->{id} == $id && $answer->{result}{stopPropagation};
}

sub wish {
    my ($one, $id, $action, $payload) = @_;
    $one->{tx}->send({json => {id => $id, type => 'request',
                               action => $action, payload => $payload}});
    my $answer;
    do { $answer = receive($one) } while $answer->{type} eq 'notification';
    die "$action: $answer->{type}\n"
        unless $answer->{type} eq 'response' && $answer->{id} eq $id;
    return $answer->{payload};
}

if ($flow eq 'bus') {
    my ($taker, $sender) = (opened(), opened());
    ask($_->[0], 1, 'initialize',
        {clientId => $_->[1], clientInfo => {name => 'mojo', version => '1'}})
        for [$taker, 'taker'], [$sender, 'sender'];
    ask($taker, 2, 'subscribe', {topic => 'inbound:*'});
    publish($sender, $taker, 3, 'hello');
    publish($sender, $taker, 4, 'é' x (LONG / 2));
    ping($sender);
    closed($_) for $sender, $taker;
} else {
    my $one = opened();
    my $task = wish($one, '1', 'task.create',
                    {title => 'by mojo', agent_type => 'agentsh'})->{id};
    wish($one, '2', 'task.subscribe', {task_id => $task});
    die "another task\n"
        if wish($one, '3', 'task.get', {id => $task})->{title} ne 'by mojo';
    ping($one);
    closed($one);
}
