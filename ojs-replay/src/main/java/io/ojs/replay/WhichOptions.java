package io.ojs.replay;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import io.ojs.deadletter.DeadLetterFilter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that select dead letters.
 */
final class WhichOptions {

	@Option(names = { "-q", "--queue" }, paramLabel = "<queue>", order = 1,
			description = "OJS queue whose dead letters are meant, such as email. Repeat it for several.")
	List<String> queues = List.of();

	@Option(names = "--type", paramLabel = "<type>", order = 2,
			description = "Only jobs of this type: email.send, or email.* for all that begin so.")
	@Nullable String type;

	@Option(names = "--error-type", paramLabel = "<class>", order = 3,
			description = "Only this error: java.net.ConnectException, or java.net.* for all that begin so.")
	@Nullable String errorType;

	@Option(names = "--error-code", paramLabel = "<code>", order = 4,
			description = "Only errors with this code, such as HANDLER_ERROR.")
	@Nullable String errorCode;

	@Option(names = "--stack-hash", paramLabel = "<hash>", order = 5,
			description = "Only failures at this place in the code: the header x-ojs-error-stack-hash.")
	@Nullable String stackHash;

	@Option(names = "--id", paramLabel = "<id>", order = 6, description = "Only this job.")
	@Nullable String id;

	@Option(names = "--dead-since", paramLabel = "<when>", order = 7,
			description = "Only what died then or later: 2026-03-15T09:30:00Z, or an age such as 90m, 12h, 7d.")
	@Nullable Instant deadSince;

	@Option(names = "--dead-before", paramLabel = "<when>", order = 8, description = "Only what died before.")
	@Nullable Instant deadBefore;

	@Option(names = "--tenant", paramLabel = "<id>", order = 9, description = "Only jobs of this tenant.")
	@Nullable String tenant;

	DeadLetterFilter filter(String queue) {
		DeadLetterFilter filter = DeadLetterFilter.ANY.queue(queue)
			.type(this.type)
			.errorType(this.errorType)
			.errorCode(this.errorCode)
			.stackHash(this.stackHash)
			.since(this.deadSince)
			.until(this.deadBefore)
			.tenant(this.tenant);
		return (this.id != null) ? filter.ids(Set.of(this.id)) : filter;
	}

}
