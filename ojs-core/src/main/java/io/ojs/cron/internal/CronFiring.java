package io.ojs.cron.internal;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.ojs.OjsException;
import io.ojs.client.DuplicateJobException;
import io.ojs.client.OjsOperations;
import io.ojs.client.TenantLimitExceededException;
import io.ojs.cron.CronEvent;
import io.ojs.cron.CronJob;
import io.ojs.cron.CronRequest;
import io.ojs.cron.CronRun;
import io.ojs.cron.InvalidCronException;
import io.ojs.cron.OverlapPolicy;
import io.ojs.crypto.UndecryptableException;
import io.ojs.crypto.UnknownKeyException;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.internal.log.SafeLogger;
import io.ojs.job.IllegalStateTransitionException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.job.JobIdGenerator;
import io.ojs.job.JobRequest;
import io.ojs.job.OnConflict;
import io.ojs.job.internal.Rfc3339;
import io.ojs.queue.QueueRefusedException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;
import io.ojs.store.internal.StoreTransactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Fires crons. One transaction locks the cron, records its run, enqueues its job and sets
 * its next time. So any number of processes can fire crons at the same time, and the work
 * of one that dies is rolled back.
 */
public final class CronFiring {

	/** The key of {@code meta} for the name of the cron that enqueued a job. */
	public static final String META_NAME = "cron_name";

	/** The key of {@code meta} for the time that a cron was fired for, RFC 3339. */
	public static final String META_TRIGGERED_AT = "cron_triggered_at";

	private static final Logger logger = SafeLogger.of(CronFiring.class);

	/** More unfinished jobs than this mean that the handler is too slow. */
	private static final int MANY_WAITING = 2;

	private static final int LONGEST_DETAIL = 1000;

	private final CronStore store;

	private final StoreTransactions transactions;

	private final OjsOperations ojs;

	private final CronSchedules schedules;

	private final CronEvents events;

	private final JobEncryption encryption;

	private final Clock clock;

	private final JobIdGenerator ids;

	/**
	 * Creates the firing.
	 * @param events notifies listeners of each run after the commit
	 */
	public CronFiring(CronStore store, StoreTransactions transactions, OjsOperations ojs, CronSchedules schedules,
			CronEvents events, JobEncryption encryption, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.ojs = ojs;
		this.schedules = schedules;
		this.events = events;
		this.encryption = encryption;
		this.clock = clock;
		this.ids = new JobIdGenerator(clock);
	}

	/**
	 * Fires the cron that has been due longest and that no other transaction has locked.
	 * @param except the names of crons to skip; if the cron fails, its name is added
	 * @return its run; empty if no cron is due
	 * @throws StoreException if the database fails; the cron stays due
	 */
	Optional<CronRun> fireNext(Set<String> except) {
		Instant now = this.clock.instant();
		AtomicReference<@Nullable CronJob> taken = new AtomicReference<>();
		try {
			return this.transactions.inTransaction(() -> this.store.takeDue(now, except).map((due) -> {
				taken.set(due);
				return fire(due, Objects.requireNonNull(due.nextRunAt()), now, true);
			}));
		}
		catch (RuntimeException ex) {
			CronJob due = taken.get();
			String reason = reason(ex);
			if (due != null && reason == null) {
				except.add(due.name());
			}
			if (due == null || reason == null) {
				throw ex;
			}
			return skip(due, now, reason, ex);
		}
	}

	/**
	 * Records a skipped run. In another transaction, because the first one is rolled
	 * back.
	 */
	private Optional<CronRun> skip(CronJob due, Instant now, String reason, RuntimeException refusal) {
		logger.warn("Cron '{}' enqueued nothing: {}", due.name(), refusal.getMessage());
		return this.transactions.inTransaction(() -> this.store.lock(due.name())
			.filter((cron) -> Objects.equals(cron.nextRunAt(), due.nextRunAt()))
			.map((cron) -> {
				Instant scheduled = Objects.requireNonNull(cron.nextRunAt());
				String existing = (refusal instanceof DuplicateJobException duplicate) ? duplicate.existingJobId()
						: null;
				return record(CronChanges.next(cron, next(cron, scheduled, now)),
						skipped(cron, scheduled, now, existing, reason, refusal.getMessage()));
			}));
	}

	/**
	 * Fires a cron now, at any time; the caller has locked it. Its next time does not
	 * change.
	 */
	CronRun fireNow(CronJob cron) {
		Instant now = this.clock.instant();
		Instant at = this.store.runs(cron.name(), 1)
			.stream()
			.map(CronRun::scheduledAt)
			.filter((last) -> !last.isBefore(now))
			.findFirst()
			.orElse(now);
		// Whole seconds are kept for the schedule, since a cron has one run for each
		// time.
		boolean taken = !at.equals(now) || isScheduled(at);
		return fire(cron, taken ? at.plusNanos(1000) : at, now, false);
	}

	/**
	 * Whether a cron was due at a time by its schedule, and not triggered by a caller.
	 */
	public static boolean isScheduled(Instant at) {
		return at.getNano() / 1000 == 0;
	}

	private CronRun fire(CronJob cron, Instant scheduled, Instant now, boolean bySchedule) {
		CronJob after = bySchedule ? CronChanges.next(cron, next(cron, scheduled, now)) : cron;
		OverlapPolicy overlap = cron.request().overlap();
		List<String> unfinished = (overlap == OverlapPolicy.ALLOW) ? List.of() : this.store.unfinished(cron.name());
		JobRequest request = request(cron, scheduled);
		CronRun.Outcome outcome = CronRun.Outcome.TRIGGERED;
		if (!unfinished.isEmpty()) {
			switch (overlap) {
				case SKIP -> {
					return record(after, skipped(cron, scheduled, now, unfinished.get(unfinished.size() - 1),
							CronRun.OVERLAP_SKIP, "A job of an earlier run has not ended."));
				}
				case CANCEL_PREVIOUS -> unfinished.forEach(this::cancel);
				case ENQUEUE -> {
					warnIfMany(cron, unfinished.size());
					request = request.pending();
					outcome = CronRun.Outcome.WAITING;
				}
				default -> throw new IllegalStateException("Nothing overlaps with " + overlap + ".");
			}
		}
		Job job = this.ojs.enqueue((overlap == OverlapPolicy.CANCEL_PREVIOUS) ? takingPlace(request) : request);
		if (job.state() == null) {
			return record(after, skipped(cron, scheduled, now, null, "dropped", "A middleware dropped its job."));
		}
		if (!job.id().equals(request.id())) {
			return record(after, skipped(cron, scheduled, now, job.id(), "duplicate",
					"It is unique and met a job like it, as which it was dropped."));
		}
		return record(CronChanges.ran(after, job.id(), now),
				new CronRun(cron.name(), scheduled, now, outcome, job.id(), null, null));
	}

	private @Nullable Instant next(CronJob cron, Instant scheduled, Instant now) {
		try {
			CronRequest request = cron.request();
			return this.schedules.read(request.expression(), request.zone())
				.next(now.isAfter(scheduled) ? now : scheduled, scheduled)
				.orElse(null);
		}
		catch (InvalidCronException ex) {
			// Another version has registered it, which knows such expressions. Logged
			// once, since it has no next time.
			logger.error("Cron '{}' does not fire any more: {}", cron.name(), ex.getMessage());
			return null;
		}
	}

	private JobRequest request(CronJob cron, Instant scheduled) {
		JobRequest kept = cron.request().job();
		// Decrypted, to be encrypted by the current key, and to be compared with unique
		// jobs.
		JobRequest job = this.encryption.open(kept, cron.name())
			.id(this.ids.next())
			.meta(META_NAME, cron.name())
			.meta(META_TRIGGERED_AT, Rfc3339.format(scheduled));
		// An encrypted job stays encrypted, even if its type and queue are not any more.
		boolean again = this.encryption.encrypts(job.type(), Objects.requireNonNull(job.queue()));
		return (again || !JobEncryption.isEncoded(kept.args())) ? job : this.encryption.seal(job);
	}

	/** With {@link OverlapPolicy#CANCEL_PREVIOUS}, the new job replaces a unique one. */
	private static JobRequest takingPlace(JobRequest request) {
		return (request.unique() != null) ? request.unique((unique) -> unique.onConflict(OnConflict.REPLACE)) : request;
	}

	private void cancel(String jobId) {
		try {
			this.ojs.cancel(jobId);
		}
		catch (IllegalStateTransitionException ex) {
			logger.debug("Job {} has just ended by itself", jobId, ex);
		}
	}

	private static void warnIfMany(CronJob cron, int unfinished) {
		if (unfinished > MANY_WAITING) {
			logger.warn("Of cron '{}', {} jobs have not ended, and another one waits for them: they take longer than "
					+ "the time between them", cron.name(), unfinished);
		}
	}

	private static CronRun skipped(CronJob cron, Instant scheduled, Instant now, @Nullable String jobId, String reason,
			@Nullable String detail) {
		return new CronRun(cron.name(), scheduled, now, CronRun.Outcome.SKIPPED, jobId, reason,
				(detail != null && detail.length() > LONGEST_DETAIL) ? detail.substring(0, LONGEST_DETAIL) : detail);
	}

	private CronRun record(CronJob cron, CronRun run) {
		this.store.update(cron);
		this.store.record(cron, run);
		this.transactions.afterCommit(() -> this.events.publish(CronEvent.of(cron, run)));
		return run;
	}

	/**
	 * Returns why a job was not enqueued, if the cause is the job or its queue.
	 * @return the reason; {@code null} if the cron is tried again
	 */
	private static @Nullable String reason(RuntimeException failure) {
		if (failure instanceof DuplicateJobException) {
			return "duplicate";
		}
		if (failure instanceof QueueRefusedException refused) {
			return refused.code().toLowerCase(Locale.ROOT);
		}
		if (failure instanceof TenantLimitExceededException limited) {
			return limited.code().toLowerCase(Locale.ROOT);
		}
		if (failure instanceof UndecryptableException) {
			return "undecryptable";
		}
		if (failure instanceof UnknownKeyException) {
			// Another instance may know the key.
			return null;
		}
		if (failure instanceof InvalidJobException) {
			return "invalid_job";
		}
		boolean passes = failure instanceof StoreException || failure instanceof JobNotStoredException;
		return (failure instanceof OjsException && !passes) ? "refused" : null;
	}

	/**
	 * Releases a waiting run whose earlier runs have ended.
	 * @return the run; empty if none can be released
	 * @throws StoreException if the database fails
	 */
	Optional<CronRun> releaseNext() {
		return this.transactions.inTransaction(() -> this.store.takeReleasable().map((run) -> {
			release(run);
			return run;
		}));
	}

	/**
	 * Releases a run, whether or not earlier runs have ended; the caller has locked its
	 * cron.
	 */
	void release(CronRun run) {
		try {
			this.ojs.activate(Objects.requireNonNull(run.jobId()));
		}
		catch (IllegalStateTransitionException ex) {
			logger.debug("Job {} waits no longer", run.jobId(), ex);
		}
		this.store.released(run);
	}

}
