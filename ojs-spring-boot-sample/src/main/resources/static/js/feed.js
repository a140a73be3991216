// The connection to the server's events. It says how things stand when it (re)connects, so nothing has to be
// remembered across a loss.

const SILENCE_MILLIS = 25_000; // The server sends a heartbeat every 10 seconds.
const FIRST_PAUSE_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 5_000;

/** Milliseconds by which the server's clock is ahead of this one. */
let clockOffset = 0;

export function serverNow() {
  return Date.now() + clockOffset;
}

/**
 * @param {Object<string, function(object)>} handlers one for each kind of event
 * @param {function('connecting'|'live'|'lost')} onConnection told when that changes
 */
export function connect(handlers, onConnection) {
  let pause = FIRST_PAUSE_MILLIS;
  let source;
  let silence;
  let retry;

  function open() {
    clearTimeout(retry);
    source = new EventSource('api/events');
    for (const [name, handler] of Object.entries({ heartbeat: () => {}, ...handlers })) {
      source.addEventListener(name, (event) => {
        const data = JSON.parse(event.data);
        if (data.serverTime) {
          clockOffset = Date.parse(data.serverTime) - Date.now();
        }
        handler(data);
        silenceBegins();
      });
    }
    source.addEventListener('snapshot', () => {
      pause = FIRST_PAUSE_MILLIS;
      onConnection('live');
    });
    source.onerror = lost;
    silenceBegins();
  }

  function silenceBegins() {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE_MILLIS);
  }

  // An EventSource gives up for good when a proxy answers for a server that is away, so this one never relies on it.
  function lost() {
    source.close();
    clearTimeout(silence);
    clearTimeout(retry);
    onConnection('lost');
    retry = setTimeout(open, pause);
    pause = Math.min(pause * 1.6, LONGEST_PAUSE_MILLIS);
  }

  // Whoever comes back to the tab, or to the network, does not want to wait for a timer.
  function hurry() {
    if (source.readyState === EventSource.CLOSED) {
      pause = FIRST_PAUSE_MILLIS;
      open();
    }
  }
  window.addEventListener('online', hurry);
  document.addEventListener('visibilitychange', () => document.hidden || hurry());

  onConnection('connecting');
  open();
}
