package io.ojs.cron;

/**
 * A cron fired (OJS Cron §9). The event feed keeps the event, and listeners in the
 * process that fired the cron are notified after the commit.
 * <p>
 * A minor version may add kinds of events: a {@code switch} over them needs a
 * {@code default}.
 */
public sealed interface CronEvent {

	/**
	 * Returns the cron, as it is after the run.
	 * @return the cron
	 */
	CronJob cron();

	/**
	 * Returns the run.
	 * @return the run
	 */
	CronRun run();

	/**
	 * Returns the name of the event in OJS Events.
	 * @return the name, such as {@code cron.triggered}
	 */
	String name();

	/**
	 * Creates the event of a run.
	 * @param cron the cron, as it is after the run
	 * @param run the run
	 * @return the event
	 */
	static CronEvent of(CronJob cron, CronRun run) {
		return (run.outcome() == CronRun.Outcome.SKIPPED) ? new Skipped(cron, run) : new Triggered(cron, run);
	}

	/**
	 * A job was enqueued.
	 *
	 * @param cron the cron
	 * @param run the run, with the id of the job
	 */
	record Triggered(CronJob cron, CronRun run) implements CronEvent {

		@Override
		public String name() {
			return "cron.triggered";
		}

	}

	/**
	 * No job was enqueued.
	 *
	 * @param cron the cron
	 * @param run the run, with the reason
	 */
	record Skipped(CronJob cron, CronRun run) implements CronEvent {

		@Override
		public String name() {
			return "cron.skipped";
		}

	}

}
