package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ojs.deadletter.DeadLetterCursor;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.engine.Times;
import io.ojs.jdbc.internal.admin.JdbcAdminStore;
import io.ojs.jdbc.internal.admin.JdbcJobSearch;
import io.ojs.jdbc.internal.deadletter.JdbcDeadLetterStore;
import io.ojs.job.Job;
import io.ojs.job.JobQuery;
import io.ojs.job.JobState;
import io.ojs.store.StoredJob;
import io.ojs.store.internal.NewJob;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators are told, and what they do to many jobs.
 */
abstract class AdminStoreContract extends StoreContract {

	private JdbcAdminStore admin;

	@BeforeEach
	void open() {
		this.admin = new JdbcAdminStore(database().database);
	}

	private String insert(String queue, String type, JobState state) {
		String id = database().id();
		var encoded = database().encoded(id, 3, (job) -> job.state(state));
		database().jobs.insert(List.of(new NewJob(encoded, Map.of(), null, false)));
		database().jdbc().update("update ojs_job set queue = ?, type = ? where id = cast(? as uuid)", queue, type, id);
		return id;
	}

	private List<String> ids(List<StoredJob> jobs) {
		return jobs.stream().map((job) -> job.job().id()).toList();
	}

	@Test
	void jobsAreCountedByQueueAndState() {
		insert("a", "t", JobState.AVAILABLE);
		insert("a", "t", JobState.AVAILABLE);
		insert("b", "t", JobState.PENDING);
		assertThat(this.admin.counts(null, null))
			.isEqualTo(Map.of("a", Map.of(JobState.AVAILABLE, 2L), "b", Map.of(JobState.PENDING, 1L)));
		assertThat(this.admin.counts("b", null)).isEqualTo(Map.of("b", Map.of(JobState.PENDING, 1L)));
		assertThat(this.admin.counts("c", null)).isEmpty();
	}

	@Test
	void jobsAreFoundByWhatTheyAre() {
		String one = insert("a", "mail.send", JobState.AVAILABLE);
		String two = insert("b", "mail.read", JobState.PENDING);
		String three = insert("b", "mail_x", JobState.AVAILABLE);
		assertThat(ids(this.admin.search(JobFilter.ANY, 0, 10))).containsExactly(three, two, one);
		assertThat(ids(this.admin.search(JobFilter.ANY, 1, 1))).containsExactly(two);
		assertThat(ids(this.admin.search(filter("b", null, Set.of()), 0, 10))).containsExactly(three, two);
		assertThat(ids(this.admin.search(filter(null, "mail.*", Set.of()), 0, 10))).containsExactly(two, one);
		assertThat(ids(this.admin.search(filter(null, "mail_*", Set.of()), 0, 10))).containsExactly(three);
		assertThat(ids(this.admin.search(filter(null, "mail.send", Set.of()), 0, 10))).containsExactly(one);
		assertThat(ids(this.admin.search(filter(null, null, Set.of(JobState.PENDING)), 0, 10))).containsExactly(two);
		assertThat(this.admin.count(filter(null, "mail.*", Set.of(JobState.PENDING)))).isEqualTo(1);
		assertThat(ids(this.admin.search(JobFilter.ANY.ids(Set.of(two)), 0, 10))).containsExactly(two);
		assertThat(this.admin.count(JobFilter.ANY.onlyDeadLetters())).isZero();
		assertThat(this.admin
			.count(new JobFilter(null, null, Set.of(), false, TestStores.NOW.plusSeconds(1), null, Set.of(), null)))
			.isZero();
		assertThat(
				this.admin.count(new JobFilter(null, null, Set.of(), false, TestStores.NOW.minus(Duration.ofDays(9000)),
						TestStores.NOW.plus(Duration.ofDays(9000)), Set.of(), null)))
			.isEqualTo(3);
	}

	@Test
	void rowThatNoJobCanHaveDoesNotHideOthers() {
		String good = insert("a", "mail.send", JobState.AVAILABLE);
		String bad = insert("Bad Queue", "Bad Type", JobState.AVAILABLE);
		database().jdbc()
			.update("update ojs_job set envelope = ? where id = cast(? as uuid)",
					"{\"type\":\"Bad Type\",\"args\":[{\"ojs_encoded\":true}]}", bad);
		assertThat(ids(this.admin.search(JobFilter.ANY, 0, 10))).containsExactly(bad, good);
		assertThat(ids(database().jobs.list(JobQuery.first(10)))).containsExactly(bad, good);
		assertThat(database().jobs.find(bad)).get()
			.extracting(StoredJob::job)
			.returns("invalid", Job::queue)
			.returns("invalid", Job::type);
		assertThat(new JdbcJobSearch(database().database).search(JobSearch.Criteria.ANY, null, 10).jobs())
			.extracting((found) -> found.row().type)
			.containsExactly("Bad Type", "mail.send");
	}

	private static JobFilter filter(String queue, String type, Set<JobState> states) {
		return new JobFilter(queue, type, states, false, null, null, Set.of(), null);
	}

	@Test
	void onlyWhatHasEndedIsDeleted() {
		String waiting = insert("a", "t", JobState.AVAILABLE);
		String cancelled = insert("a", "t", JobState.AVAILABLE);
		String other = insert("b", "t", JobState.AVAILABLE);
		database().jobs.cancel(cancelled, TestStores.NOW);
		database().jobs.cancel(other, TestStores.NOW);
		assertThat(this.admin.ended(TestStores.NOW)).isEqualTo(Map.of(JobState.CANCELLED, 2L));
		assertThat(this.admin.ended(TestStores.NOW.plusSeconds(1))).isEmpty();
		assertThat(this.admin.delete(filter("a", null, Set.of()), 10)).isEqualTo(1);
		assertThat(ids(this.admin.search(JobFilter.ANY, 0, 10))).containsExactlyInAnyOrder(waiting, other);
		assertThat(this.admin.delete(JobFilter.ANY, 10)).isEqualTo(1);
		assertThat(this.admin.delete(JobFilter.ANY, 10)).isZero();
	}

	@Test
	void timesAreThoseOfWhatIsAskedFor() {
		String id = insert("a", "t", JobState.AVAILABLE);
		JobFilter since = new JobFilter(null, null, Set.of(), false, TestStores.NOW, null, Set.of(), null);
		JobFilter until = new JobFilter(null, null, Set.of(), false, null, TestStores.NOW, Set.of(), null);
		assertThat(this.admin.count(since)).isEqualTo(1);
		assertThat(this.admin.count(until)).isZero();
		Instant later = TestStores.NOW.plusSeconds(9);
		database().jobs.cancel(id, later);
		JobFilter untilLater = new JobFilter(null, null, Set.of(), false, null, later, Set.of(), null);
		assertThat(this.admin.count(untilLater)).as("created before").isEqualTo(1);
		assertThat(this.admin.delete(untilLater, 10)).as("ended before").isZero();
		database().jdbc().update("update ojs_job set dead_lettered_at = ended_at, state = 'discarded'");
		assertThat(this.admin.count(untilLater.onlyDeadLetters())).isZero();
		assertThat(this.admin.count(since.onlyDeadLetters())).isEqualTo(1);
	}

	@Test
	void deadLettersAreListedTheNewestFirst() {
		String one = insert("a", "t", JobState.AVAILABLE);
		String two = insert("a", "t", JobState.AVAILABLE);
		String three = insert("b", "t", JobState.AVAILABLE);
		insert("a", "t", JobState.AVAILABLE);
		for (String id : List.of(three, two, one)) {
			database().jdbc()
				.update("update ojs_job set state = 'discarded', dead_lettered_at = ? where id = cast(? as uuid)",
						Times.utc(TestStores.NOW.plusSeconds(id.equals(one) ? 5 : 1)), id);
		}
		assertThat(ids(this.admin.search(JobFilter.ANY.onlyDeadLetters(), 0, 10))).containsExactly(one, three, two);
		JdbcDeadLetterStore letters = new JdbcDeadLetterStore(database().database);
		DeadLetterFilter any = DeadLetterFilter.ANY;
		assertThat(ids(letters.list(any, 0, 10))).containsExactly(one, three, two);
		assertThat(ids(letters.list(any, 1, 1))).containsExactly(three);
		assertThat(ids(letters.list(any.origin("a"), 1, 10))).containsExactly(two);
		DeadLetterCursor first = new DeadLetterCursor(TestStores.NOW.plusSeconds(5), one);
		assertThat(ids(letters.list(any, first, 1))).containsExactly(three);
		assertThat(ids(letters.list(any.origin("b"), first, 10))).containsExactly(three);
		assertThat(ids(letters.list(any, new DeadLetterCursor(TestStores.NOW.plusSeconds(1), three), 10)))
			.containsExactly(two);
		assertThat(letters.list(any, new DeadLetterCursor(TestStores.NOW.plusSeconds(1), two), 10)).isEmpty();
	}

	@Test
	void noMoreAreDeletedThanTheLimitSays() {
		for (int i = 0; i < 3; i++) {
			database().jobs.cancel(insert("a", "t", JobState.AVAILABLE), TestStores.NOW);
		}
		assertThat(this.admin.delete(JobFilter.ANY, 2)).isEqualTo(2);
		assertThat(this.admin.count(JobFilter.ANY)).isEqualTo(1);
	}

}
