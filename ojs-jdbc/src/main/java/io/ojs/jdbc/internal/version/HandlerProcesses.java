package io.ojs.jdbc.internal.version;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.internal.engine.JsonText;
import io.ojs.internal.engine.Times;
import io.ojs.internal.version.HandlerProcess;
import io.ojs.internal.version.HandlerStore;
import io.ojs.jdbc.internal.StoreDatabase;

/**
 * Reads which processes run which jobs.
 */
final class HandlerProcesses {

	private final StoreDatabase database;

	HandlerProcesses(StoreDatabase database) {
		this.database = database;
	}

	/** Returns the processes whose announcement is not older than they are trusted. */
	List<HandlerProcess> trusted(Instant now) {
		JsonText json = this.database.codec().json();
		return this.database.jdbc().query("select queues, handled from ojs_handler where seen_at > ?", (row, index) -> {
			Set<String> queues = new HashSet<>();
			if (json.read(row.getString("queues")) instanceof Map<?, ?> consumers) {
				consumers.keySet().forEach((name) -> queues.add(String.valueOf(name)));
			}
			return new HandlerProcess(queues, HandledJobsText.read(json, row.getString("handled")));
		}, Times.utc(now.minus(HandlerStore.TRUSTED)));
	}

}
