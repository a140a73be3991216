package io.ojs.sample;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * One page that listens. Sending to it may take as long as its network does, so it has a
 * queue, and never more than one thread that empties it. A page that cannot keep up is
 * cut off; it connects again and is sent how things stand.
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
	 * Sends, some time later.
	 * @param event the name of the event
	 * @param data what becomes its JSON
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
				// Whoever listened has gone.
				this.waiting.clear();
				this.emitter.complete();
			}
			finally {
				this.sending.set(false);
			}
			// What came between the last poll and the line above found somebody sending.
		}
		while (!this.waiting.isEmpty() && this.sending.compareAndSet(false, true));
	}

	/**
	 * Ends the connection, some time later: somebody may be sending just now.
	 */
	void close() {
		this.executor.execute(this.emitter::complete);
	}

	private record Message(String event, Object data) {
	}

}
