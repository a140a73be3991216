package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import io.ojs.internal.stats.Durations;
import io.ojs.internal.stats.JobGroup;
import io.ojs.internal.stats.MinuteRow;
import io.ojs.internal.stats.MinuteStore;
import io.ojs.internal.stats.Numbers;
import io.ojs.internal.stats.Numbers.Outcome;
import io.ojs.jdbc.internal.stats.JdbcMinuteStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Numbers of minutes are kept, read and deleted.
 */
abstract class MinuteStoreContract extends StoreContract {

	private static final Instant MINUTE = TestStores.NOW.truncatedTo(ChronoUnit.HOURS);

	private static final JobGroup MAIL = new JobGroup("mail", "email.send", "");

	private static final JobGroup ACME = new JobGroup("report", "a.b", "acme");

	private MinuteStore minutes;

	@BeforeEach
	void open() {
		this.minutes = new JdbcMinuteStore(database().database);
	}

	private static MinuteRow row(int step, Instant at, JobGroup group, long completed) {
		Numbers numbers = new Numbers();
		numbers.add(Outcome.COMPLETED, completed);
		numbers.add(Outcome.CANCELLED, 2);
		numbers.runs().add("20:" + completed + " 31:1");
		return new MinuteRow(step, at, group, numbers);
	}

	private List<MinuteRow> read(MinuteStore.Query query) {
		List<MinuteRow> rows = new ArrayList<>();
		this.minutes.read(query, rows::add);
		return rows;
	}

	private static MinuteStore.Query all(int step) {
		return new MinuteStore.Query(step, MINUTE.minus(Duration.ofDays(30)), null, null, null);
	}

	private static List<Long> completed(List<MinuteRow> rows) {
		return rows.stream().map((row) -> row.numbers().count(Outcome.COMPLETED)).sorted().toList();
	}

	@Test
	void rowIsReadAsItWasWritten() {
		this.minutes.write("1@host", List.of(row(60, MINUTE, ACME, 7)));
		MinuteRow read = read(all(60)).get(0);
		assertThat(read.at()).isEqualTo(MINUTE);
		assertThat(read.group()).isEqualTo(ACME);
		assertThat(read.numbers().count(Outcome.COMPLETED)).isEqualTo(7);
		assertThat(read.numbers().count(Outcome.RETRIED)).isZero();
		assertThat(read.numbers().count(Outcome.CANCELLED)).isEqualTo(2);
		assertThat(read.numbers().runs().text()).isEqualTo("20:7 31:1");
		assertThat(read.numbers().waits().text()).isEqualTo(Durations.none().text());
	}

	@Test
	void laterRowOfTheSameProcessReplacesTheFirst() {
		this.minutes.write("1@host", List.of(row(60, MINUTE, MAIL, 1), row(600, MINUTE, MAIL, 1)));
		this.minutes.write("1@host", List.of(row(60, MINUTE, MAIL, 3)));
		this.minutes.write("2@host", List.of(row(60, MINUTE, MAIL, 5)));
		assertThat(completed(read(all(60)))).containsExactly(3L, 5L);
		assertThat(completed(read(all(600)))).containsExactly(1L);
	}

	@Test
	void onlyWhatIsAskedForIsRead() {
		this.minutes.write("1@host",
				List.of(row(60, MINUTE, MAIL, 1), row(60, MINUTE.plusSeconds(60), MAIL, 2), row(60, MINUTE, ACME, 4)));
		assertThat(completed(read(new MinuteStore.Query(60, MINUTE, null, null, null)))).containsExactly(1L, 2L, 4L);
		Instant second = MINUTE.plusSeconds(60);
		assertThat(completed(read(new MinuteStore.Query(60, second, null, null, null)))).containsExactly(2L);
		assertThat(completed(read(new MinuteStore.Query(60, MINUTE, "mail", null, null)))).containsExactly(1L, 2L);
		assertThat(completed(read(new MinuteStore.Query(60, MINUTE, null, "a.b", null)))).containsExactly(4L);
		assertThat(completed(read(new MinuteStore.Query(60, MINUTE, null, null, "acme")))).containsExactly(4L);
		assertThat(read(new MinuteStore.Query(60, MINUTE, "mail", "a.b", null))).isEmpty();
	}

	@Test
	void oldRowsAreDeletedThoseOfMinutesSooner() {
		Instant old = MINUTE.minus(Duration.ofDays(2));
		Instant older = MINUTE.minus(Duration.ofDays(9));
		for (Instant at : List.of(MINUTE, old, older)) {
			this.minutes.write("1@host", List.of(row(60, at, MAIL, 1), row(600, at, MAIL, 1), row(3600, at, MAIL, 1)));
		}
		Instant before = MINUTE.minus(Duration.ofDays(7));
		Instant minutesBefore = MINUTE.minus(Duration.ofDays(1));
		assertThat(this.minutes.prune(before, minutesBefore, 1)).isEqualTo(1);
		assertThat(this.minutes.prune(before, minutesBefore, 10)).isEqualTo(3);
		assertThat(this.minutes.prune(before, minutesBefore, 10)).isZero();
		assertThat(read(all(60))).hasSize(1);
		assertThat(read(all(600))).hasSize(2);
		assertThat(read(all(3600))).hasSize(2);
		assertThat(this.minutes.prune(MINUTE.plusSeconds(1), minutesBefore, 10)).isEqualTo(5);
	}

}
