// The tab's one socket. It tells that something has a newer seq; what is newer is fetched by HTTP.
// After a break it joins its topics again and learns their newest seq, so nothing is missed.

const FIRST_PAUSE = 500; // milliseconds; doubles with each failure
const LONGEST_PAUSE = 30000;

const topics = new Map(); // name -> { seq, listeners }
const stateListeners = new Set();
let socket = null;
let failures = 0;
let timer = null;
let brokenSince = 0; // 0 while connected or not wanted

/**
 * Listen to a topic ("lab:42") from `seq` on. `listener({ topic, type, seq, data })` is called for each event, and
 * with type "topic.missed" when the topic has moved on without us. Returns a function that stops listening.
 */
export function subscribe(topic, seq, listener) {
  const known = topics.get(topic);
  if (known) {
    known.listeners.add(listener);
    if (known.seq > seq) queueMicrotask(() => listener({ topic, type: "topic.missed", seq: known.seq, data: {} }));
    known.seq = Math.max(known.seq, seq);
  } else {
    topics.set(topic, { seq, listeners: new Set([listener]) });
    if (isOpen()) tell("topic.join", topic);
  }
  connect();
  return () => unsubscribe(topic, listener);
}

/** Call `listener(isConnected)` whenever the connection comes or goes. */
export function onConnection(listener) {
  stateListeners.add(listener);
}

/** How long the connection has been missing although it is wanted, in milliseconds. */
export const brokenFor = () => (brokenSince ? Date.now() - brokenSince : 0);

function unsubscribe(topic, listener) {
  const known = topics.get(topic);
  if (!known) return;
  known.listeners.delete(listener);
  if (known.listeners.size) return;
  topics.delete(topic);
  if (isOpen()) tell("topic.leave", topic);
}

const isOpen = () => socket?.readyState === WebSocket.OPEN;

const tell = (type, topic) => socket.send(JSON.stringify({ type, topic }));

function connect() {
  if (socket || timer || !topics.size) return;
  if (!brokenSince) brokenSince = Date.now();
  socket = new WebSocket(new URL("/ws/", location.href.replace(/^http/, "ws")));
  socket.addEventListener("open", opened);
  socket.addEventListener("message", heard);
  socket.addEventListener("close", closed);
}

function opened() {
  failures = 0;
  brokenSince = 0;
  for (const topic of topics.keys()) tell("topic.join", topic);
  for (const listener of stateListeners) listener(true);
}

function heard(message) {
  const event = JSON.parse(message.data);
  const known = topics.get(event.topic);
  if (!known) return;
  if (event.type === "topic.refused") {
    topics.delete(event.topic);
    return;
  }
  const joined = event.type === "topic.joined";
  if (joined && event.seq <= known.seq) return;
  if (event.seq) {
    if (event.seq <= known.seq) return; // told already
    known.seq = event.seq;
  }
  const told = joined ? { topic: event.topic, type: "topic.missed", seq: event.seq, data: {} } : event;
  for (const listener of [...known.listeners]) listener(told);
}

function closed() {
  socket = null;
  if (!topics.size) {
    brokenSince = 0;
    return;
  }
  if (!brokenSince) brokenSince = Date.now();
  for (const listener of stateListeners) listener(false);
  const pause = Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE);
  failures += 1;
  timer = setTimeout(reconnect, pause * (0.5 + Math.random() / 2));
}

function reconnect() {
  clearTimeout(timer);
  timer = null;
  connect();
}

addEventListener("online", reconnect);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && !socket) reconnect();
});
