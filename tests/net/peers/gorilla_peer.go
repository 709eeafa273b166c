// SPDX-License-Identifier: GPL-3.0-or-later
// gorilla_peer.go - the flow of run.py by github.com/gorilla/websocket.
//
//	gorilla_peer bus|gateway URL
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

const (
	patience = 10 * time.Second
	long     = 300000
)

type object = map[string]interface{}

type peer struct{ conn *websocket.Conn }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func is(right bool, what interface{}) {
	if !right {
		check(fmt.Errorf("not right: %.300v", what))
	}
}

func opened(url string) peer {
	conn, _, err := websocket.DefaultDialer.Dial(url, nil)
	check(err)
	check(conn.SetReadDeadline(time.Now().Add(patience)))
	return peer{conn}
}

func (p peer) receive() object {
	var message object
	check(p.conn.ReadJSON(&message))
	return message
}

func (p peer) ask(id float64, method string, params object) {
	check(p.conn.WriteJSON(object{"jsonrpc": "2.0", "id": id,
		"method": method, "params": params}))
	answer := p.receive()
	is(answer["id"] == id && answer["result"] != nil, answer)
}

// Pings, and closes; pongs are seen while it reads for the close of the other.
func (p peer) end() {
	came := ""
	p.conn.SetPongHandler(func(data string) error {
		came = data
		return nil
	})
	until := time.Now().Add(patience)
	check(p.conn.WriteControl(websocket.PingMessage, []byte("hello"), until))
	check(p.conn.WriteControl(websocket.CloseMessage,
		websocket.FormatCloseMessage(1000, ""), until))
	_, _, err := p.conn.ReadMessage()
	for err == nil { // what a subscription still sends
		_, _, err = p.conn.ReadMessage()
	}
	var closed *websocket.CloseError
	is(errors.As(err, &closed) && closed.Code == 1000, err)
	is(came == "hello", "pong: "+came)
	p.conn.Close()
}

func publish(sender, taker peer, id float64, text string) {
	check(sender.conn.WriteJSON(object{"jsonrpc": "2.0", "id": id,
		"method": "sendMessage", "params": object{"topic": "inbound:chat-1",
			"payload": object{"text": text}}}))
	request := taker.receive()
	payload := request["params"].(object)["payload"].(object)
	is(payload["text"] == text, payload)
	check(taker.conn.WriteJSON(object{"jsonrpc": "2.0", "id": request["id"],
		"result": object{"success": true, "stopPropagation": true}}))
	answer := sender.receive()
	is(answer["id"] == id &&
		answer["result"].(object)["stopPropagation"] == true, answer)
}

func bus(url string) {
	taker, sender := opened(url), opened(url)
	info := object{"name": "gorilla", "version": "1"}
	taker.ask(1, "initialize", object{"clientId": "taker", "clientInfo": info})
	sender.ask(1, "initialize",
		object{"clientId": "sender", "clientInfo": info})
	taker.ask(2, "subscribe", object{"topic": "inbound:*"})
	publish(sender, taker, 3, "hello")
	publish(sender, taker, 4, strings.Repeat("é", long/2))
	sender.end()
	taker.end()
}

func (p peer) wish(id, action string, payload object) object {
	check(p.conn.WriteJSON(object{"id": id, "type": "request",
		"action": action, "payload": payload}))
	answer := p.receive()
	for answer["type"] == "notification" {
		answer = p.receive()
	}
	is(answer["type"] == "response" && answer["id"] == id, answer)
	return answer["payload"].(object)
}

func gateway(url string) {
	one := opened(url)
	task := one.wish("1", "task.create",
		object{"title": "by gorilla", "agent_type": "agentsh"})["id"]
	one.wish("2", "task.subscribe", object{"task_id": task})
	got := one.wish("3", "task.get", object{"id": task})
	is(got["id"] == task && got["title"] == "by gorilla", got)
	one.end()
}

func main() {
	if os.Args[1] == "bus" {
		bus(os.Args[2])
	} else {
		gateway(os.Args[2])
	}
}
