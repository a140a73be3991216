package io.ojs.event;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.ojs.job.JobState;

/**
 * What can become of a job, as one table: the states in which it may be before, the state
 * in which it is afterwards, and the events that tell of it, in their order. Listeners,
 * the feed and webhooks are told the same, whichever way jobs are worked.
 */
public enum Transition {

	/** A new job can be worked. */
	ENQUEUE(States.NONE, JobState.AVAILABLE, Telling.ENQUEUED),

	/** A new job waits for its time. */
	SCHEDULE(States.NONE, JobState.SCHEDULED, Telling.SCHEDULED),

	/** A new job waits until a caller activates it. */
	STAGE(States.NONE, JobState.PENDING),

	/** A caller has activated a job that was staged. */
	ACTIVATE(EnumSet.of(JobState.PENDING), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The store takes in a job of another producer, which has told of it. */
	ADOPT(EnumSet.of(JobState.PENDING), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The time of a scheduled job has come. */
	FALL_DUE(EnumSet.of(JobState.SCHEDULED), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The time of the next attempt has come. */
	FALL_DUE_AGAIN(EnumSet.of(JobState.RETRYABLE), JobState.AVAILABLE),

	/**
	 * A job that was handed over has to wait, although a worker asks the store for it.
	 */
	TAKE_BACK(EnumSet.of(JobState.HANDED_OVER), JobState.AVAILABLE, Telling.ENQUEUED),

	/**
	 * A worker begins an attempt. A job that the store has adopted is staged before, and
	 * one that another worker has lost is still active.
	 */
	START(EnumSet.of(JobState.AVAILABLE, JobState.RETRYABLE, JobState.PENDING, JobState.ACTIVE, JobState.HANDED_OVER),
			JobState.ACTIVE, Telling.STARTED),

	/** A limit does not let a job start before a time. */
	RESCHEDULE(States.UNFINISHED, JobState.SCHEDULED, Telling.SCHEDULED),

	/** The handler has succeeded. */
	SUCCEED(EnumSet.of(JobState.ACTIVE), JobState.COMPLETED, Telling.COMPLETED),

	/** The attempt has failed, and there is another one. */
	RETRY(EnumSet.of(JobState.ACTIVE), JobState.RETRYABLE, Telling.FAILED, Telling.RETRYING),

	/** The last attempt has failed, and the job is a dead letter. */
	EXHAUST(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.RETRY_EXHAUSTED,
			Telling.DEAD_LETTERED),

	/** The last attempt has failed, and the job is let go. */
	EXHAUST_AND_DISCARD(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.RETRY_EXHAUSTED,
			Telling.DISCARDED),

	/** The attempt has failed in a way that is not retried; the job is a dead letter. */
	REJECT(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.DEAD_LETTERED),

	/** The attempt has failed in a way that is not retried; the job is let go. */
	REJECT_AND_DISCARD(EnumSet.of(JobState.ACTIVE), JobState.DISCARDED, Telling.FAILED, Telling.DISCARDED),

	/**
	 * The worker was not heard of before its lease ended, and there is another attempt.
	 */
	LOSE(EnumSet.of(JobState.ACTIVE), JobState.AVAILABLE, Telling.FAILED),

	/** The worker stops, and another one may begin at once. The attempt counts. */
	RELEASE(EnumSet.of(JobState.ACTIVE), JobState.AVAILABLE),

	/** The worker gives the job back untouched. The attempt does not count. */
	REQUEUE(EnumSet.of(JobState.ACTIVE), JobState.AVAILABLE),

	/** A stop has cut off the last attempt; the job is a dead letter. */
	CUT_OFF(States.UNFINISHED, JobState.DISCARDED, Telling.RETRY_EXHAUSTED, Telling.DEAD_LETTERED),

	/** The job was not begun before its {@code expires_at}; it is a dead letter. */
	EXPIRE(States.UNFINISHED, JobState.DISCARDED, Telling.EXPIRED, Telling.DEAD_LETTERED),

	/** The job cannot be read, published or admitted; it is a dead letter. */
	BURY(States.UNFINISHED, JobState.DISCARDED, Telling.DEAD_LETTERED),

	/** A limit, or the end of its queue, discards a job that waits. */
	DROP(States.UNFINISHED, JobState.DISCARDED, Telling.DISCARDED),

	/** A caller has cancelled the job. */
	CANCEL(States.UNFINISHED, JobState.CANCELLED, Telling.CANCELLED),

	/** An operator has a dead letter, or what else was discarded, run again. */
	REPLAY(EnumSet.of(JobState.DISCARDED), JobState.AVAILABLE, Telling.ENQUEUED),

	/** The broker has the job, and from now on it is the broker's. */
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
	 * The transition of an attempt that failed and is not tried again.
	 * @param exhausted whether it was the last one; otherwise its error is not retried
	 * @param deadLetter whether the job is kept as a dead letter
	 * @return the transition
	 */
	public static Transition ofFailure(boolean exhausted, boolean deadLetter) {
		if (exhausted) {
			return deadLetter ? EXHAUST : EXHAUST_AND_DISCARD;
		}
		return deadLetter ? REJECT : REJECT_AND_DISCARD;
	}

	/**
	 * The transition of a job that is new.
	 * @param state the state in which it was enqueued
	 * @return the transition
	 */
	public static Transition ofNew(JobState state) {
		return switch (state) {
			case SCHEDULED -> SCHEDULE;
			case PENDING -> STAGE;
			default -> ENQUEUE;
		};
	}

	/**
	 * The states in which a job may be before.
	 * @return the states; none if the job is new
	 */
	public Set<JobState> from() {
		return this.from;
	}

	/**
	 * The state in which the job is afterwards.
	 * @return the state
	 */
	public JobState to() {
		return this.to;
	}

	/**
	 * What is told of it.
	 * @return the events, in their order
	 */
	public List<Telling> tellings() {
		return this.tellings;
	}

	/**
	 * Whether the job is kept as a dead letter.
	 * @return whether it is
	 */
	public boolean isDeadLetter() {
		return this.tellings.contains(Telling.DEAD_LETTERED);
	}

	/**
	 * Whether it tells once more that a job is enqueued or scheduled.
	 * @return whether listeners were told so before, so that they do not count it twice
	 */
	public boolean isAgain() {
		return this == ADOPT || this == FALL_DUE || this == TAKE_BACK || this == RESCHEDULE || this == REPLAY;
	}

	/** Sets of states that several transitions have in common. */
	private static final class States {

		private static final Set<JobState> NONE = EnumSet.noneOf(JobState.class);

		private static final Set<JobState> UNFINISHED = EnumSet.of(JobState.SCHEDULED, JobState.PENDING,
				JobState.AVAILABLE, JobState.RETRYABLE, JobState.ACTIVE, JobState.HANDED_OVER);

	}

	/**
	 * An event of a job, by its name.
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
