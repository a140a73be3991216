package io.ojs.event.internal;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.ojs.job.JobState;

/**
 * The state machine of jobs as a table. Each transition has the states from which it
 * leads, the state to which it leads, and its events in their order. Listeners, the feed
 * and webhooks get the same events, however the job is worked.
 */
public enum Transition {

	/** A new job is available. */
	ENQUEUE(States.NONE, JobState.AVAILABLE, Telling.ENQUEUED),

	/** A new job waits for its time. */
	SCHEDULE(States.NONE, JobState.SCHEDULED, Telling.SCHEDULED),

	/** A new job waits until a caller activates it. */
	STAGE(States.NONE, JobState.PENDING),

	/** A caller activates a pending job. */
	ACTIVATE(EnumSet.of(JobState.PENDING), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The store adopts a job that another producer has published. */
	ADOPT(EnumSet.of(JobState.PENDING), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The time of a scheduled job has come. */
	FALL_DUE(EnumSet.of(JobState.SCHEDULED), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The time of the next attempt has come. */
	FALL_DUE_AGAIN(EnumSet.of(JobState.RETRYABLE), JobState.AVAILABLE),

	/**
	 * A worker asks the store for a job that was handed over, and the job has to wait.
	 */
	TAKE_BACK(EnumSet.of(JobState.HANDED_OVER), JobState.AVAILABLE, Telling.ENQUEUED),

	/**
	 * A worker begins an attempt. An adopted job is pending before, and a job that
	 * another worker has lost is still active.
	 */
	START(EnumSet.of(JobState.AVAILABLE, JobState.RETRYABLE, JobState.PENDING, JobState.ACTIVE, JobState.HANDED_OVER),
			JobState.ACTIVE, Telling.STARTED),

	/** A limit postpones the start of a job to a time. */
	RESCHEDULE(States.UNFINISHED, JobState.SCHEDULED, Telling.SCHEDULED),

	/** The handler succeeded. */
	SUCCEED(EnumSet.of(JobState.ACTIVE), JobState.COMPLETED, Telling.COMPLETED),

	/** The attempt failed, and there is another one. */
	RETRY(EnumSet.of(JobState.ACTIVE), JobState.RETRYABLE, Telling.FAILED, Telling.RETRYING),

	/** The last attempt failed, and the job becomes a dead letter. */
	EXHAUST(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.RETRY_EXHAUSTED,
			Telling.DEAD_LETTERED),

	/** The last attempt failed, and the job is discarded. */
	EXHAUST_AND_DISCARD(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.RETRY_EXHAUSTED,
			Telling.DISCARDED),

	/**
	 * The attempt failed with an error that is not retried; the job becomes a dead
	 * letter.
	 */
	REJECT(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.DEAD_LETTERED),

	/** The attempt failed with an error that is not retried; the job is discarded. */
	REJECT_AND_DISCARD(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.DISCARDED),

	/**
	 * The lease ended without a sign of life from the worker, and there is another
	 * attempt.
	 */
	LOSE(EnumSet.of(JobState.ACTIVE), JobState.AVAILABLE, Telling.FAILED),

	/** The worker stops, and another one may begin at once. The attempt counts. */
	RELEASE(EnumSet.of(JobState.ACTIVE), JobState.AVAILABLE),

	/** The worker gives the job back before it begins. The attempt does not count. */
	REQUEUE(EnumSet.of(JobState.ACTIVE), JobState.AVAILABLE),

	/** A stop has cut off the last attempt; the job becomes a dead letter. */
	CUT_OFF(States.UNFINISHED, JobState.DISCARDED, Telling.RETRY_EXHAUSTED, Telling.DEAD_LETTERED),

	/** The job has not begun before its {@code expires_at}; it becomes a dead letter. */
	EXPIRE(States.UNFINISHED, JobState.DISCARDED, Telling.EXPIRED, Telling.DEAD_LETTERED),

	/** The job cannot be read, published or admitted; it becomes a dead letter. */
	BURY(States.UNFINISHED, JobState.DISCARDED, Telling.DEAD_LETTERED),

	/** A limit, or the deletion of its queue, discards a job that waits. */
	DROP(States.UNFINISHED, JobState.DISCARDED, Telling.DISCARDED),

	/** A caller cancels the job, unless it is handed over. */
	CANCEL(EnumSet.of(JobState.SCHEDULED, JobState.PENDING, JobState.AVAILABLE, JobState.RETRYABLE, JobState.ACTIVE),
			JobState.CANCELLED, Telling.CANCELLED),

	/** An operator replays a dead letter or another discarded job. */
	REPLAY(EnumSet.of(JobState.DISCARDED), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The broker has confirmed a job of a queue whose delivery is hand-over. */
	HAND_OVER(EnumSet.of(JobState.AVAILABLE, JobState.ACTIVE), JobState.HANDED_OVER, Telling.HANDED_OVER);

	private final Set<JobState> from;

	private final JobState to;

	private final List<Telling> tellings;

	Transition(Set<JobState> from, JobState to, Telling... tellings) {
		this.from = Set.copyOf(from);
		this.to = to;
		this.tellings = List.of(tellings);
	}

	/**
	 * The transition of an attempt that failed and is not retried.
	 * @param exhausted whether it was the last attempt; otherwise its error is not
	 * retried
	 * @param deadLetter whether the job becomes a dead letter
	 */
	public static Transition ofFailure(boolean exhausted, boolean deadLetter) {
		if (exhausted) {
			return deadLetter ? EXHAUST : EXHAUST_AND_DISCARD;
		}
		return deadLetter ? REJECT : REJECT_AND_DISCARD;
	}

	/**
	 * The transition of a new job.
	 * @param state the state in which it was enqueued
	 */
	public static Transition ofNew(JobState state) {
		return switch (state) {
			case SCHEDULED -> SCHEDULE;
			case PENDING -> STAGE;
			default -> ENQUEUE;
		};
	}

	/**
	 * The states from which the transition leads.
	 * @return the states; empty for new jobs
	 */
	public Set<JobState> from() {
		return this.from;
	}

	/** The state to which the transition leads. */
	public JobState to() {
		return this.to;
	}

	/** The events of the transition. */
	public List<Telling> tellings() {
		return this.tellings;
	}

	/**
	 * Whether the job becomes a dead letter.
	 * @return whether it does
	 */
	public boolean isDeadLetter() {
		return this.tellings.contains(Telling.DEAD_LETTERED);
	}

	/**
	 * Whether an earlier event said that the job is enqueued or scheduled.
	 * @return {@code true} if so: listeners should not count the job twice
	 */
	public boolean isAgain() {
		return this == ADOPT || this == FALL_DUE || this == TAKE_BACK || this == RESCHEDULE || this == REPLAY;
	}

	private static final class States {

		private static final Set<JobState> NONE = EnumSet.noneOf(JobState.class);

		private static final Set<JobState> UNFINISHED = EnumSet.of(JobState.SCHEDULED, JobState.PENDING,
				JobState.AVAILABLE, JobState.RETRYABLE, JobState.ACTIVE, JobState.HANDED_OVER);

	}

	/**
	 * The type of an event.
	 */
	public enum Telling {

		/** {@code job.enqueued}. */
		ENQUEUED,

		/** {@code job.scheduled}. */
		SCHEDULED,

		/** {@code job.started}. */
		STARTED,

		/** {@code job.completed}. */
		COMPLETED,

		/** {@code job.failed}. */
		FAILED,

		/** {@code job.retrying}. */
		RETRYING,

		/** {@code job.retry_exhausted}. */
		RETRY_EXHAUSTED,

		/** {@code job.dead_lettered}. */
		DEAD_LETTERED,

		/** {@code job.discarded}. */
		DISCARDED,

		/** {@code job.expired}. */
		EXPIRED,

		/** {@code job.cancelled}. */
		CANCELLED,

		/** {@code job.handed_over}, which OJS Events does not have. */
		HANDED_OVER;

		private final String wireName = "job." + name().toLowerCase(Locale.ROOT);

		/**
		 * The name of the event in the feed.
		 * @return such as {@code job.completed}
		 */
		public String wireName() {
			return this.wireName;
		}

	}

}
