package io.ojs.sample;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

import io.ojs.event.JobEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Keeps pages up to date. A page that connects receives a snapshot, then each change. A
 * page that was disconnected connects again and receives a new snapshot, so it needs no
 * record of missed changes.
 *
 * <p>
 * The threads that work jobs also publish their events, so this class only records an
 * event and puts it into the queue of each page. The lock ensures that each page receives
 * every event once and in the same order.
 */
@Component
class GalleryFeed implements SmartInitializingSingleton {

	private final Gallery gallery;

	private final JobBoard board;

	private final Executor executor;

	private final Clock clock = Clock.systemUTC();

	private final List<FeedSubscriber> subscribers = new ArrayList<>();

	private final ReentrantLock lock = new ReentrantLock();

	private boolean closed;

	GalleryFeed(Gallery gallery, @Qualifier("applicationTaskExecutor") Executor executor) {
		this.gallery = gallery;
		this.board = new JobBoard(this.clock);
		this.executor = executor;
	}

	/** Restores the jobs that were enqueued before this start; no worker runs yet. */
	@Override
	public void afterSingletonsInstantiated() {
		locked(() -> this.gallery.jobs().forEach(this.board::restore));
	}

	@EventListener
	void on(JobEvent event) {
		this.lock.lock();
		try {
			JobBoard.Change change = this.board.apply(event);
			tell("job", new JobChanged(this.clock.instant(), change.job(), change.entry().orElse(null)));
			if (event instanceof JobEvent.Completed) {
				this.gallery.view(change.job().photoId()).ifPresent((photo) -> tell("photo", photo));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@TransactionalEventListener
	void on(Gallery.PhotoAdded event) {
		locked(() -> tell("photo", event.photo()));
	}

	@TransactionalEventListener
	void on(Gallery.PhotoRemoved event) {
		locked(() -> tell("photo-removed", event));
	}

	/** Lets both sides notice a connection that is dead but not closed. */
	@Scheduled(fixedRateString = "${gallery.heartbeat:10s}")
	void heartbeat() {
		locked(() -> tell("heartbeat", new Heartbeat(this.clock.instant())));
	}

	/**
	 * The server waits for open requests at shutdown, and those of the feed would never
	 * end.
	 */
	@EventListener(ContextClosedEvent.class)
	void close() {
		locked(() -> {
			this.closed = true;
			List.copyOf(this.subscribers).forEach(FeedSubscriber::close);
		});
	}

	/**
	 * Connects a page.
	 * @return the stream of events to the page
	 */
	SseEmitter subscribe() {
		SseEmitter emitter = new SseEmitter(0L);
		FeedSubscriber subscriber = new FeedSubscriber(emitter, this.executor);
		emitter.onCompletion(() -> locked(() -> this.subscribers.remove(subscriber)));
		locked(() -> {
			if (this.closed) {
				throw new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "The gallery is closing.");
			}
			subscriber.send("snapshot", snapshot());
			this.subscribers.add(subscriber);
		});
		return emitter;
	}

	/**
	 * The present state of the gallery.
	 * @return photos, jobs and log of the same moment
	 */
	Snapshot snapshot() {
		this.lock.lock();
		try {
			return new Snapshot(this.clock.instant(), this.gallery.views(), this.board.jobs(), this.board.log());
		}
		finally {
			this.lock.unlock();
		}
	}

	private void tell(String event, Object data) {
		List.copyOf(this.subscribers).forEach((subscriber) -> subscriber.send(event, data));
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The state of the gallery.
	 *
	 * @param serverTime the time of the server, for countdowns
	 * @param photos the photos, the newest first
	 * @param jobs the jobs, the oldest first
	 * @param log the log, the newest first
	 */
	record Snapshot(Instant serverTime, List<PhotoView> photos, List<JobStatus> jobs, List<LogEntry> log) {
	}

	/**
	 * A change of a job.
	 *
	 * @param serverTime the time of the server
	 * @param job the present status of the job
	 * @param entry the new line of the log, or {@code null} if the event has none
	 */
	record JobChanged(Instant serverTime, JobStatus job, @Nullable LogEntry entry) {
	}

	/**
	 * Shows that the connection is alive.
	 *
	 * @param serverTime the time of the server
	 */
	record Heartbeat(Instant serverTime) {
	}

}
