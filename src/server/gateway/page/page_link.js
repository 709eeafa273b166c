// page_link.js - the connection with the gateway: requests and their answers,
// a heartbeat, and how it comes back after a loss.

const BEAT_MS = 1200;      // of silence; then a sign of life is asked for
const SILENCE_MS = 2500;   // without an answer to one the gateway is lost
const ANSWER_MS = 30000;   // for a request
const RETRY_MS = [300, 700, 1500, 3000, 5000];

// An id that nobody else has; crypto.randomUUID is not there without TLS.
function newId() {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((b) => b.toString(16).padStart(2, "0")).join("");
}

// events: state("here" | "lost" | "login"), notice(action, payload)
class Link {
  constructor(events) {
    this.events = events;
    this.waiting = new Map();
    this.tries = 0;
    this.socket = null;
    this.timer = null;   // of the next try
    this.beat = null;    // of the next sign of life that is asked for
    this.doubt = null;   // of the one that is to come
    this.heard = 0;      // when something came
  }

  get here() {
    return this.socket !== null && this.socket.readyState === WebSocket.OPEN;
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    const address = (location.protocol === "https:" ? "wss://" : "ws://") + location.host + "/ws";
    const socket = new WebSocket(address);
    this.socket = socket;
    // a handshake that nobody answers is no gateway either
    this.guard = setTimeout(() => this.lose(socket), SILENCE_MS);
    socket.onopen = () => {
      if (socket !== this.socket) return;
      clearTimeout(this.guard);
      this.tries = 0;
      this.beat = setTimeout(() => this.ask(socket), BEAT_MS);
      this.events.state("here");
    };
    socket.onmessage = (event) => {
      if (socket === this.socket) this.read(event.data);
    };
    socket.onclose = () => this.lose(socket);
  }

  // Whatever comes is a sign of life.
  read(data) {
    this.heard = Date.now();
    if (this.doubt) {
      clearTimeout(this.doubt);
      this.doubt = null;
    }
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (message === null || typeof message !== "object") return;
    const payload = message.payload && typeof message.payload === "object" ? message.payload : {};
    if (message.type === "notification") {
      this.events.notice(String(message.action), payload);
      return;
    }
    const call = this.waiting.get(message.id);
    if (!call) return;
    this.waiting.delete(message.id);
    clearTimeout(call.timer);
    if (message.type === "error")
      call.reject({ code: textOf(payload.code), message: textOf(payload.message) || "the gateway refused it" });
    else call.resolve(payload);
  }

  ask(socket) {
    if (socket !== this.socket || !this.here) return;
    const left = this.heard + BEAT_MS - Date.now();
    if (left > 50) {
      this.beat = setTimeout(() => this.ask(socket), Math.min(left, BEAT_MS));
      return;
    }
    this.call("health.check", {}).catch(() => {});
    // one that was asked for before is still to come
    if (!this.doubt) this.doubt = setTimeout(() => this.lose(socket), SILENCE_MS);
    this.beat = setTimeout(() => this.ask(socket), BEAT_MS);
  }

  // Resolves with the payload of the answer; rejects with {code, message}.
  call(action, payload) {
    if (!this.here) return Promise.reject({ code: "LOST", message: "the gateway is not there" });
    const id = newId();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject({ code: "LOST", message: "the gateway did not answer in time" });
      }, ANSWER_MS);
      this.waiting.set(id, { resolve, reject, timer });
      this.socket.send(JSON.stringify({ id, type: "request", action, payload, timestamp: new Date().toISOString() }));
    });
  }

  lose(socket) {
    if (socket !== this.socket) return;
    this.close();
    for (const call of this.waiting.values()) {
      clearTimeout(call.timer);
      call.reject({ code: "LOST", message: "the gateway was lost before it answered" });
    }
    this.waiting.clear();
    this.events.state("lost");
    const pause = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)];
    this.timer = setTimeout(() => this.retry(), pause * (0.75 + Math.random() / 2));
  }

  // A handshake that fails says nothing of why, so this asks.
  async retry() {
    this.timer = null;
    try {
      const answer = await fetch("/login", { method: "POST", signal: AbortSignal.timeout(SILENCE_MS) });
      if (answer.status === 401) {
        this.events.state("login");
        return;
      }
    } catch {
      // it is not there: the handshake fails as well
    }
    this.open();
  }

  // At once, when there is reason to think that it is there again.
  hurry() {
    if (this.timer) {
      clearTimeout(this.timer);
      this.retry();
    }
  }

  close() {
    clearTimeout(this.guard);
    clearTimeout(this.beat);
    clearTimeout(this.doubt);
    this.doubt = null;
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.close();
  }
}
