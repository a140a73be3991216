package io.ojs.replay;

import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.ReplayOverrides;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options for the way in which dead letters are replayed.
 */
final class HowOptions {

	@Option(names = { "-n", "--dry-run" }, order = 20,
			description = "Count what would be replayed, by type and error, and replay nothing.")
	boolean dryRun;

	@Option(names = "--max", paramLabel = "<jobs>", order = 21,
			description = "No more than so many jobs of each queue.")
	@Nullable Long max;

	@Option(names = "--rate", paramLabel = "<jobs/s>", order = 22, description = "No more than so many jobs a second.")
	@Nullable Double rate;

	@Option(names = { "-y", "--yes" }, order = 23, description = "Do not ask.")
	boolean yes;

	@Option(names = "--to-queue", paramLabel = "<queue>", order = 24,
			description = "Replay to this OJS queue, and not to the one that they came from.")
	@Nullable String toQueue;

	@Option(names = "--priority", paramLabel = "<-100..100>", order = 25, description = "Give them this priority.")
	@Nullable Integer priority;

	@Option(names = "--max-attempts", paramLabel = "<n>", order = 26,
			description = "Let them be executed so often in all.")
	@Nullable Integer maxAttempts;

	ReplayOptions options() {
		ReplayOptions options = this.dryRun ? ReplayOptions.DRY_RUN : ReplayOptions.CONFIRMED;
		options = options.overrides(overrides());
		options = (this.max != null) ? options.limit(this.max) : options;
		return (this.rate != null) ? options.rate(this.rate) : options;
	}

	private ReplayOverrides overrides() {
		ReplayOverrides overrides = ReplayOverrides.NONE;
		overrides = (this.toQueue != null) ? overrides.queue(this.toQueue) : overrides;
		overrides = (this.priority != null) ? overrides.priority(this.priority) : overrides;
		return (this.maxAttempts != null) ? overrides.maxAttempts(this.maxAttempts) : overrides;
	}

}
