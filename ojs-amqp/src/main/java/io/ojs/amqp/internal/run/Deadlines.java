package io.ojs.amqp.internal.run;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.ojs.internal.log.SafeLogger;
import io.ojs.internal.thread.Threads;
import org.slf4j.Logger;

/**
 * Interrupts attempts that exceed their timeout. All attempts share one thread, which
 * only interrupts and logs.
 */
public final class Deadlines implements AutoCloseable {

	private static final Logger logger = SafeLogger.of(Deadlines.class);

	/** How long an interrupted handler may go on before a warning is logged. */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int FRAMES = 20;

	/**
	 * Period of an empty task. The timer's thread wakes for each new task that is due
	 * first. The empty task is nearly always due before the deadlines of jobs, so that
	 * jobs begin and end without waking the thread.
	 */
	private static final Duration TICK = Duration.ofSeconds(1);

	private final AtomicBoolean ticking = new AtomicBoolean();

	private final ScheduledThreadPoolExecutor timer;

	/**
	 * Creates an instance. Its thread starts on first use.
	 */
	public Deadlines() {
		this(new ScheduledThreadPoolExecutor(1, Deadlines::newThread));
	}

	public Deadlines(ScheduledThreadPoolExecutor timer) {
		this.timer = timer;
		timer.setRemoveOnCancelPolicy(true);
	}

	public static Thread newThread(Runnable task) {
		return Threads.daemon(task, "ojs-deadlines");
	}

	public Future<?> watch(JobRun run, Duration timeout) {
		return schedule(() -> end(run, timeout), timeout);
	}

	/**
	 * Runs a short task later, on the same thread.
	 * @param task the task; must be quick
	 */
	public Future<?> schedule(Runnable task, Duration delay) {
		tick();
		return this.timer.schedule(task, Math.max(0, delay.toMillis()), TimeUnit.MILLISECONDS);
	}

	private void tick() {
		// A read first, since every job calls this.
		if (!this.ticking.get() && this.ticking.compareAndSet(false, true)) {
			this.timer.scheduleWithFixedDelay(() -> {
			}, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private void end(JobRun run, Duration timeout) {
		if (run.interrupt(Interruption.TIMED_OUT)) {
			logger.warn("Job {} ({}) takes longer than its timeout of {} and is interrupted", run.job().id(),
					run.job().type(), timeout);
			schedule(() -> complain(run), PATIENCE);
		}
	}

	/** Java cannot end a thread that ignores interrupts. */
	private void complain(JobRun run) {
		Thread thread = run.thread();
		if (thread != null) {
			logger.warn(
					"Job {} ({}) was interrupted and goes on. Its handler must end when its thread is interrupted, "
							+ "or ask isCancelled(); until then it holds a consumer. It is at\n{}",
					run.job().id(), run.job().type(),
					Arrays.stream(thread.getStackTrace())
						.limit(FRAMES)
						.map((frame) -> "\tat " + frame)
						.collect(Collectors.joining("\n")));
			schedule(() -> complain(run), PATIENCE.multipliedBy(6));
		}
	}

	@Override
	public void close() {
		this.timer.shutdownNow();
	}

}
