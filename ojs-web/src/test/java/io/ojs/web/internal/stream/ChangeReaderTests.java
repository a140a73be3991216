package io.ojs.web.internal.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

import io.ojs.event.internal.EventTail;
import io.ojs.internal.json.JsonObjects;
import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What has changed since a stream was told last, whatever the order of the commits.
 */
class ChangeReaderTests {

	private final Tail tail = new Tail();

	private final ChangeReader reader = new ChangeReader(this.tail, () -> this.tail.nanos);

	@Test
	void whatWasThereBeforeIsNoChange() {
		this.tail.write(1, null, "job.enqueued", "j1", "mail");
		assertThat(read((String) null)).isEmpty();
		assertThat(read((String) null)).isEmpty();
		this.tail.write(2, null, "job.started", "j1", "mail");
		Map<String, @Nullable Object> told = read((String) null).get(null);
		assertThat(told).containsEntry("jobs", Map.of("started", 1))
			.containsEntry("queues", List.of("mail"))
			.containsEntry("job_ids", List.of("j1"))
			.containsEntry("kinds", List.of())
			.containsEntry("more", false);
		assertThat(read((String) null)).isEmpty();
	}

	@Test
	void kindsAreNamed() {
		read((String) null);
		this.tail.write(1, null, "queue.paused", "mail", "mail");
		this.tail.write(2, null, "job.dead_lettered", "j1", "mail");
		this.tail.write(3, null, "cron.triggered", "nightly", "");
		assertThat(read((String) null).get(null)).containsEntry("kinds", List.of("cron", "dead_letter", "queue"))
			.containsEntry("jobs", Map.of("dead_lettered", 1))
			.containsEntry("queues", List.of("mail"));
	}

	@Test
	void tenantHearsOfItsJobsAlone() {
		read("acme", "rival", null);
		this.tail.write(1, "acme", "job.enqueued", "j1", "mail");
		this.tail.write(2, null, "queue.paused", "mail", "mail");
		this.tail.write(3, null, "job.enqueued", "j2", "secret");
		Map<@Nullable String, Map<String, @Nullable Object>> told = read("acme", "rival", null);
		assertThat(told).doesNotContainKey("rival");
		assertThat(told.get("acme")).containsEntry("job_ids", List.of("j1"))
			.containsEntry("queues", List.of("mail"))
			.containsEntry("kinds", List.of());
		assertThat(told.get(null)).containsEntry("job_ids", List.of("j1", "j2"))
			.containsEntry("queues", List.of("mail", "secret"));
	}

	/** Transactions commit in another order than they write. */
	@Test
	void lateCommitIsNotMissed() {
		this.tail.write(1, null, "job.enqueued", "j1", "mail");
		this.tail.write(3, null, "job.enqueued", "j3", "mail");
		read((String) null);
		this.tail.write(6, null, "job.enqueued", "j6", "mail");
		assertThat(read((String) null).get(null)).containsEntry("job_ids", List.of("j6"));
		this.tail.write(2, null, "job.enqueued", "j2", "mail");
		this.tail.write(5, null, "job.enqueued", "j5", "mail");
		assertThat(read((String) null).get(null)).containsEntry("job_ids", List.of("j2", "j5"));
		this.tail.nanos += Duration.ofSeconds(11).toNanos();
		assertThat(read((String) null)).isEmpty();
		this.tail.write(4, null, "job.enqueued", "j4", "mail");
		assertThat(read((String) null)).as("it was looked for long enough").isEmpty();
		assertThat(this.tail.looked).isLessThan(10);
	}

	@Test
	void manyChangesAreSkippedWhenTheTimeIsUp() {
		read((String) null);
		LongStream.rangeClosed(1, 20_000)
			.forEach((seq) -> this.tail.write(seq, null, "job.completed", "j" + seq, "q" + seq % 300));
		this.tail.nanosPerPage = Duration.ofMillis(100).toNanos();
		Map<String, @Nullable Object> told = read((String) null).get(null);
		assertThat(told).containsEntry("jobs", Map.of("completed", 4000)).containsEntry("more", true);
		assertThat((List<?>) told.get("queues")).hasSize(Changes.MOST);
		assertThat((List<?>) told.get("job_ids")).hasSize(Changes.MOST);
		assertThat(told.get("job_ids").toString()).contains("j4000").doesNotContain("j3800,");
		assertThat(read((String) null)).as("the rest is skipped").isEmpty();
		this.tail.write(20_001, null, "job.completed", "last", "q");
		assertThat(read((String) null).get(null)).containsEntry("job_ids", List.of("last"))
			.containsEntry("more", false);
	}

	@Test
	void afterAFailureThereMayBeMore() {
		read((String) null);
		this.tail.away = true;
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> read((String) null));
		this.tail.away = false;
		assertThat(read((String) null).get(null)).containsEntry("jobs", Map.of()).containsEntry("more", true);
		assertThat(read((String) null)).isEmpty();
	}

	@Test
	void changesThatAClientDidNotTakeAreAddedUp() {
		Changes sum = new Changes();
		for (int i = 0; i < 300; i++) {
			Changes next = new Changes();
			next.add(new EventTail.Event("job.started", "j" + i, "mail"));
			sum.addAll(next);
		}
		assertThat(data(sum)).containsEntry("jobs", Map.of("started", 300)).containsEntry("more", true);
		assertThat((List<?>) data(sum).get("job_ids")).hasSize(Changes.MOST);
	}

	private Map<@Nullable String, Map<String, @Nullable Object>> read(@Nullable String... scopes) {
		Set<@Nullable String> all = new HashSet<>(Arrays.asList(scopes));
		Map<@Nullable String, Map<String, @Nullable Object>> told = new HashMap<>();
		this.reader.read(all).forEach((scope, changes) -> told.put(scope, data(changes)));
		return told;
	}

	private static Map<String, @Nullable Object> data(Changes changes) {
		String message = new String(changes.message(Instant.EPOCH), StandardCharsets.UTF_8);
		assertThat(message).startsWith("event: changes\ndata: {\"at\":\"1970-01-01T00:00:00").endsWith("}\n\n");
		assertThat(message.lines()).hasSize(3);
		return new JsonObjects().read(message.lines()
			.skip(1)
			.findFirst()
			.orElseThrow()
			.substring("data: ".length())
			.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Rows that are there as soon as they are committed.
	 */
	private static final class Tail implements EventTail {

		private final TreeMap<Long, Row> rows = new TreeMap<>();

		private long nanos;

		private long nanosPerPage;

		private boolean away;

		private int looked;

		void write(long seq, @Nullable String tenant, String type, String subject, String queue) {
			this.rows.put(seq, new Row(seq, tenant, List.of(new Event(type, subject, queue))));
		}

		@Override
		public long end() {
			return this.rows.isEmpty() ? 0 : this.rows.lastKey();
		}

		@Override
		public List<Row> after(long seq, int limit) {
			if (this.away) {
				throw new StoreException("The database is away", new IllegalStateException());
			}
			this.nanos += this.nanosPerPage;
			return this.rows.tailMap(seq, false).values().stream().limit(limit).toList();
		}

		@Override
		public List<Row> at(Collection<Long> seqs) {
			this.looked += seqs.size();
			return seqs.stream().filter(this.rows::containsKey).map(this.rows::get).toList();
		}

	}

}
