package io.ojs.sample;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * One page that receives the feed. Sending to it takes as long as its network does, so it
 * has a queue of its own, which at most one thread at a time empties. A page that is too
 * slow is disconnected; it connects again and receives a new snapshot.
 */
class FeedSubscriber {

	private static final int MAX_WAITING = 2000;

	private final SseEmitter emitter;

	private final Executor executor;

	private final BlockingQueue<Message> waiting = new LinkedBlockingQueue<>(MAX_WAITING);

	private final AtomicBoolean sending = new AtomicBoolean();

	FeedSubscriber(SseEmitter emitter, Executor executor) {
		this.emitter = emitter;
		this.executor = executor;
	}

	/**
	 * Queues an event and returns at once.
	 * @param event the name of the event
	 * @param data the data, to be sent as JSON
	 */
	void send(String event, Object data) {
		if (!this.waiting.offer(new Message(event, data))) {
			close();
		}
		else if (this.sending.compareAndSet(false, true)) {
			this.executor.execute(this::sendWaiting);
		}
	}

	private void sendWaiting() {
		do {
			try {
				for (Message message = this.waiting.poll(); message != null; message = this.waiting.poll()) {
					this.emitter.send(
							SseEmitter.event().name(message.event()).data(message.data(), MediaType.APPLICATION_JSON));
				}
			}
			catch (IOException | IllegalStateException ex) {
				// The page has disconnected.
				this.waiting.clear();
				this.emitter.complete();
			}
			finally {
				this.sending.set(false);
			}
			// A message that came after the last poll found this thread still marked as
			// sending.
		}
		while (!this.waiting.isEmpty() && this.sending.compareAndSet(false, true));
	}

	/**
	 * Ends the connection on another thread, because a thread may be sending now.
	 */
	void close() {
		this.executor.execute(this.emitter::complete);
	}

	private record Message(String event, Object data) {
	}

}
