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
 * Keeps pages up to date. A page that connects is sent all there is, then each change;
 * one that was away for a while connects again and so needs no memory of what it missed.
 *
 * <p>
 * What is told of jobs is told by the threads that work them, so here it is only written
 * down and put into each page's own queue. The lock makes sure that every page is told
 * everything once and in the same order.
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

	/** How jobs stand that were enqueued before this start; no worker runs yet. */
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

	/** Lets both sides notice a connection that is dead without having been closed. */
	@Scheduled(fixedRateString = "${gallery.heartbeat:10s}")
	void heartbeat() {
		locked(() -> tell("heartbeat", new Heartbeat(this.clock.instant())));
	}

	/** The server waits for requests that are under way, and these would never end. */
	@EventListener(ContextClosedEvent.class)
	void close() {
		locked(() -> {
			this.closed = true;
			List.copyOf(this.subscribers).forEach(FeedSubscriber::close);
		});
	}

	/**
	 * Connects a page.
	 * @return what is sent to it
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
	 * All there is to know.
	 * @return photos, jobs and log, all of the same moment
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
	 * All there is to know.
	 *
	 * @param serverTime the time here, by which countdowns go
	 * @param photos the photos, the newest first
	 * @param jobs the jobs, the oldest first
	 * @param log the log, the newest first
	 */
	record Snapshot(Instant serverTime, List<PhotoView> photos, List<JobStatus> jobs, List<LogEntry> log) {
	}

	/**
	 * Something happened to a job.
	 *
	 * @param serverTime the time here
	 * @param job how it stands now
	 * @param entry the new line of the log, if it is worth one
	 */
	record JobChanged(Instant serverTime, JobStatus job, @Nullable LogEntry entry) {
	}

	/**
	 * Nothing happened, and the connection is alive.
	 *
	 * @param serverTime the time here
	 */
	record Heartbeat(Instant serverTime) {
	}

}
