#!/usr/bin/ruby
# SPDX-License-Identifier: GPL-3.0-or-later
# faye_peer.rb - the flow of run.py by faye-websocket.
#     faye_peer.rb bus|gateway URL
require 'eventmachine'
require 'faye/websocket'
require 'fiber'
require 'json'

PATIENCE = 20
LONG = 300_000

# A connection; its calls wait in a fiber for what comes.
class Peer
  def initialize(url)
    @messages = []
    @socket = Faye::WebSocket::Client.new(url)
    @socket.on(:open) { @open = true; wake }
    @socket.on(:message) { |event| @messages << event.data; wake }
    @socket.on(:close) { |event| @code = event.code; wake }
    wait { @open }
  end

  def wake
    @waiting, fiber = nil, @waiting
    fiber&.resume
  end

  def wait
    until yield
      raise "closed with #{@code}" if @code
      @waiting = Fiber.current
      Fiber.yield
    end
  end

  def send(value)
    @socket.send(JSON.generate(value))
  end

  def receive
    wait { !@messages.empty? }
    JSON.parse(@messages.shift)
  end

  def ping
    came = false
    @socket.ping('hello') { came = true; wake }
    wait { came }
  end

  def close
    @socket.close(1000)
    wait { @code == 1000 }
  end

  def ask(id, method, params)
    send({ jsonrpc: '2.0', id: id, method: method, params: params })
    answer = receive
    raise answer.to_s unless answer['id'] == id && answer['result']
  end

  def wish(id, action, payload)
    send({ id: id, type: 'request', action: action, payload: payload })
    answer = receive
    answer = receive while answer['type'] == 'notification'
    raise answer.to_s unless answer['type'] == 'response' && answer['id'] == id
    answer['payload']
  end
end

def publish(sender, taker, id, text)
  sender.send({ jsonrpc: '2.0', id: id, method: 'sendMessage',
                params: { topic: 'inbound:chat-1', payload: { text: text } } })
  request = taker.receive
  raise 'another text' unless request['params']['payload']['text'] == text
  taker.send({ jsonrpc: '2.0', id: request['id'],
               result: { success: true, stopPropagation: true } })
  answer = sender.receive
  raise answer.to_s unless answer['id'] == id &&
                           answer['result']['stopPropagation'] == true
end

def bus(url)
  taker = Peer.new(url)
  sender = Peer.new(url)
  [[taker, 'taker'], [sender, 'sender']].each do |one, who|
    one.ask(1, 'initialize',
            { clientId: who, clientInfo: { name: 'faye', version: '1' } })
  end
  taker.ask(2, 'subscribe', { topic: 'inbound:*' })
  publish(sender, taker, 3, 'hello')
  publish(sender, taker, 4, 'é' * (LONG / 2))
  sender.ping
  [sender, taker].each(&:close)
end

def gateway(url)
  one = Peer.new(url)
  task = one.wish('1', 'task.create',
                  { title: 'by faye', agent_type: 'agentsh' })['id']
  one.wish('2', 'task.subscribe', { task_id: task })
  got = one.wish('3', 'task.get', { id: task })
  raise got.to_s unless got['id'] == task && got['title'] == 'by faye'
  one.ping
  one.close
end

EM.run do
  EM.add_timer(PATIENCE) { abort 'it takes too long' }
  Fiber.new do
    Kernel.send(ARGV[0] == 'bus' ? :bus : :gateway, ARGV[1])
    EM.stop
  end.resume
end
