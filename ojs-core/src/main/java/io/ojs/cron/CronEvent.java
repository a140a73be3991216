package io.ojs.cron;

/**
 * A cron fired (OJS Cron §9). Kept in the feed of events, and told in the process that
 * did it, after the commit.
 */
public sealed interface CronEvent {

	/**
	 * The cron.
	 * @return the cron, as it is after that
	 */
	CronJob cron();

	/**
	 * What became of it.
	 * @return the run
	 */
	CronRun run();

	/**
	 * The name of the event in OJS Events.
	 * @return such as {@code cron.triggered}
	 */
	String name();

	/**
	 * What is told of a run.
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
	 * @param run the run, with the job's id
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
