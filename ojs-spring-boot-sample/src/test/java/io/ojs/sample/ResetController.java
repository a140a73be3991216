package io.ojs.sample;

import java.util.List;
import java.util.Set;

import io.ojs.internal.fetch.BrokerQueues;
import io.ojs.queue.JobQueue;
import io.ojs.queue.QueueConfig;
import io.ojs.queue.QueueState;
import io.ojs.queue.Queues;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Deletes all jobs, events and messages, so that a conformance case begins with nothing.
 * The component scan finds it in each application that runs with test classes.
 */
@RestController
@ConditionalOnProperty("conformance")
final class ResetController {

	/**
	 * Tables that keep their rows, such as those of queues, of the end of the feed and of
	 * migrations.
	 */
	private static final Set<String> KEPT = Set.of("ojs_queue", "ojs_fetched_queue", "ojs_feed", "ojs_relay_order",
			"ojs_store", "ojs_schema");

	private final JdbcTemplate jdbc;

	private final TransactionOperations transactions;

	private final Queues queues;

	private final BrokerQueues broker;

	ResetController(JdbcTemplate jdbc, TransactionOperations transactions, Queues queues, BrokerQueues broker) {
		this.jdbc = jdbc;
		this.transactions = transactions;
		this.queues = queues;
		this.broker = broker;
	}

	@PostMapping("/reset")
	void reset() {
		List<JobQueue> all = this.queues.list();
		this.transactions.executeWithoutResult((status) -> this.jdbc
			.queryForList("select lower(table_name) from information_schema.tables "
					+ "where lower(table_name) like 'ojs!_%' escape '!' and table_schema = current_schema order by 1",
					String.class)
			.stream()
			.filter((table) -> !KEPT.contains(table))
			.forEach((table) -> this.jdbc.update("delete from " + table)));
		// By now, the queues also have the messages that were being published meanwhile.
		for (JobQueue queue : all) {
			this.broker.sweep(queue.name(), (messages) -> {
			});
			this.queues.configure(queue.name(), (before) -> QueueConfig.NONE);
			if (queue.state() == QueueState.PAUSED) {
				this.queues.resume(queue.name());
			}
		}
	}

}
