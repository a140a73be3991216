package io.ojs.jdbc.internal.version;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.version.HandlerStore;
import io.ojs.jdbc.internal.StoreDatabase;
import io.ojs.job.internal.HandledJobs;

/**
 * Reads which processes run which jobs.
 */
public final class HandlerProcesses {

	private final StoreDatabase database;

	public HandlerProcesses(StoreDatabase database) {
		this.database = database;
	}

	/** Returns the processes whose announcement is not older than they are trusted. */
	public List<HandlerProcess> trusted(Instant now) {
		JsonText json = this.database.codec().json();
		return this.database.jdbc().query("select queues, handled from ojs_handler where seen_at > ?", (row, index) -> {
			Set<String> queues = new HashSet<>();
			if (json.read(row.getString("queues")) instanceof Map<?, ?> consumers) {
				consumers.keySet().forEach((name) -> queues.add(String.valueOf(name)));
			}
			return new HandlerProcess(queues, HandledJobsText.read(json, row.getString("handled")));
		}, Times.utc(now.minus(HandlerStore.TRUSTED)));
	}

	/**
	 * A process that works jobs.
	 *
	 * @param queues the queues that it consumes or fetches from
	 * @param handled the types for which it has handlers, with their versions
	 */
	public record HandlerProcess(Set<String> queues, HandledJobs handled) {
	}

}
