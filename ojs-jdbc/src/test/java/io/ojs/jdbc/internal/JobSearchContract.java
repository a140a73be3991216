package io.ojs.jdbc.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.ojs.client.internal.EncodedJob;
import io.ojs.event.internal.Transition;
import io.ojs.internal.admin.JobFilter;
import io.ojs.internal.admin.JobSearch;
import io.ojs.internal.admin.JobSearch.Criteria;
import io.ojs.internal.admin.JobSearch.Found;
import io.ojs.internal.admin.JobSearch.Result;
import io.ojs.jdbc.internal.admin.JdbcJobSearch;
import io.ojs.job.InvalidJobException;
import io.ojs.job.JobBuilder;
import io.ojs.job.JobState;
import io.ojs.store.internal.attempt.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Searches find what they are asked for, page by page, and say how far they came.
 */
abstract class JobSearchContract extends StoreContract {

	private static final Duration LONG = Duration.ofMinutes(1);

	private JobSearch search;

	@BeforeEach
	void open() {
		this.search = new JdbcJobSearch(database().database);
	}

	private String insert(UnaryOperator<JobBuilder> fields) {
		return database().keep(database().encoded(fields), null).job().id();
	}

	private String insert(String queue, String type) {
		return insert((job) -> job.queue(queue).type(type));
	}

	private String failed(String message) {
		EncodedJob job = database().available();
		database().attempts.settle(List.of(new Outcome.Discarded(database().taken(job, TestStores.NOW).lease(),
				TestStores.error(message), Transition.EXHAUST)), TestStores.NOW);
		return job.job().id();
	}

	private List<String> ids(Criteria criteria) {
		Result result = this.search.search(criteria, null, 50);
		assertThat(result.complete()).isTrue();
		assertThat(result.next()).isNull();
		assertThat(result.backTo()).isNull();
		return ids(result);
	}

	private static List<String> ids(Result result) {
		return result.jobs().stream().map((found) -> found.row().id.toString()).toList();
	}

	private Found only(Criteria criteria) {
		List<Found> found = this.search.search(criteria, null, 50).jobs();
		assertThat(found).hasSize(1);
		return found.get(0);
	}

	private static Criteria of(JobFilter filter) {
		return Criteria.ANY.filter(filter);
	}

	private static Criteria type(String type) {
		return of(new JobFilter(null, type, Set.of(), false, null, null, Set.of(), null));
	}

	private static Criteria prefix(String id) {
		return new Criteria(JobFilter.ANY, id, null, Set.of(), null, null, null, null);
	}

	private static Criteria labels(String... labels) {
		return new Criteria(JobFilter.ANY, null, null, Set.of(labels), null, null, null, null);
	}

	private static Criteria error(@Nullable String type, @Nullable String text) {
		return new Criteria(JobFilter.ANY, null, null, Set.of(), type, text, null, null);
	}

	@Test
	void allJobsAreFoundTheNewestFirst() {
		assertThat(ids(Criteria.ANY)).isEmpty();
		String one = insert("a", "t");
		String two = insert("b", "t");
		assertThat(ids(Criteria.ANY)).containsExactly(two, one);
	}

	@Test
	void queueTypeAndState() {
		String one = insert("a", "mail.send");
		String two = insert((job) -> job.queue("b").type("mail.read").state(JobState.PENDING));
		String three = insert("b", "mail_x");
		assertThat(ids(of(JobFilter.ANY.queue("b")))).containsExactly(three, two);
		assertThat(ids(type("mail.send"))).containsExactly(one);
		assertThat(ids(type("mail.*"))).containsExactly(two, one);
		assertThat(ids(type("mail_*"))).containsExactly(three);
		assertThat(ids(of(JobFilter.ANY.states(Set.of(JobState.PENDING))))).containsExactly(two);
		assertThat(ids(of(JobFilter.ANY.states(Set.of(JobState.PENDING, JobState.AVAILABLE)).queue("b"))))
			.containsExactly(three, two);
		database().jobs.cancel(one, TestStores.NOW);
		assertThat(ids(of(JobFilter.ANY.states(Set.of(JobState.CANCELLED))))).containsExactly(one);
		assertThat(ids(of(JobFilter.ANY.states(Set.of(JobState.CANCELLED, JobState.PENDING))))).containsExactly(two,
				one);
	}

	@Test
	void beginningOfTheId() {
		String one = "01940000-0000-7000-8000-000000000001";
		String two = "01940000-0000-7000-8000-0000000000ff";
		String three = "01940000-0001-7000-8000-000000000000";
		for (String id : List.of(one, two, three)) {
			database().keep(database().encoded(id, 3, (job) -> job), null);
		}
		assertThat(ids(prefix("0"))).containsExactly(three, two, one);
		assertThat(ids(prefix("01940000-0000"))).containsExactly(two, one);
		assertThat(ids(prefix("0194000000007000"))).containsExactly(two, one);
		assertThat(ids(prefix("01940000-0000-7000-8000-0000000000f"))).containsExactly(two);
		assertThat(ids(prefix("01940000-0000-7000-8000-0000000000FF"))).containsExactly(two);
		assertThat(ids(prefix(three))).containsExactly(three);
		assertThat(ids(prefix("f"))).isEmpty();
		assertThat(ids(prefix("ffffffff-ffff-ffff-ffff-ffffffffffff"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "g", "0x", "%", "-", "01940000-0000-7000-8000-0000000000010", "' or 1=1 --" })
	void otherBeginningsAreRefused(String id) {
		refused("id", () -> prefix(id));
	}

	@Test
	void beginningAndEndOfTheId() {
		String one = "01940000-0000-7000-8000-000000abcdef";
		String two = "01940000-0000-7000-8000-0000001bcdef";
		for (String id : List.of(one, two)) {
			database().keep(database().encoded(id, 3, (job) -> job), null);
		}
		assertThat(ids(Criteria.ANY.id("01940000\u2026abcdef"))).containsExactly(one);
		assertThat(ids(Criteria.ANY.id("01940000...1BCDEF"))).containsExactly(two);
		assertThat(ids(Criteria.ANY.id("01940000-\u2026bcdef"))).containsExactly(one, two);
		assertThat(ids(Criteria.ANY.id("01940000\u20268000-0000001bcdef"))).containsExactly(two);
		assertThat(ids(Criteria.ANY.id("01950000\u2026abcdef"))).isEmpty();
		refused("id", () -> Criteria.ANY.id("\u2026abcdef"));
		refused("id", () -> Criteria.ANY.id("0194\u2026"));
		refused("id", () -> Criteria.ANY.id("0194\u2026%"));
	}

	@Test
	void workerThatRunsTheJob() {
		EncodedJob job = database().available();
		insert("a", "t");
		String worker = database().taken(job, TestStores.NOW).job().worker();
		assertThat(ids(Criteria.ANY.worker(worker))).containsExactly(job.job().id());
		assertThat(ids(Criteria.ANY.worker("another"))).isEmpty();
		assertThat(ids(new JdbcJobSearch(database().database, LONG, 1).search(Criteria.ANY.worker(worker), null, 5)))
			.containsExactly(job.job().id());
	}

	@Test
	void timeIsThatOfTheId() {
		Instant time = Instant.parse("2026-01-01T00:00:00.500Z");
		String early = at(time.minusMillis(1));
		String exact = at(time);
		String late = at(time.plusMillis(1));
		assertThat(ids(of(JobFilter.ANY.since(time)))).containsExactly(late, exact);
		assertThat(ids(of(JobFilter.ANY.until(time)))).containsExactly(early);
		assertThat(ids(of(JobFilter.ANY.until(time.plusNanos(1))))).containsExactly(exact, early);
		assertThat(ids(of(JobFilter.ANY.since(time).until(time.plusMillis(1))))).containsExactly(exact);
		assertThat(ids(of(JobFilter.ANY.since(time).until(time)))).isEmpty();
		assertThat(ids(of(JobFilter.ANY.since(Instant.parse("0001-01-01T00:00:00Z"))))).hasSize(3);
		assertThat(ids(of(JobFilter.ANY.until(Instant.parse("9999-01-01T00:00:00Z"))))).hasSize(3);
	}

	private String at(Instant time) {
		String id = new UUID(time.toEpochMilli() << 16 | 0x7000, 0x8000000000000000L).toString();
		database().keep(database().encoded(id, 3, (job) -> job), null);
		return id;
	}

	@Test
	void labels() {
		String one = insert((job) -> job.meta("tags", List.of("urgent", "eu")).meta("customer", "4711"));
		String two = insert((job) -> job.meta("tags", List.of("urgent")));
		insert((job) -> job.meta("other", "4711"));
		assertThat(ids(labels("#urgent"))).containsExactly(two, one);
		assertThat(ids(labels("customer=4711"))).containsExactly(one);
		assertThat(ids(labels("#urgent", "#eu", "customer=4711"))).containsExactly(one);
		assertThat(ids(labels("#urgent", "customer=4712"))).isEmpty();
		assertThat(ids(labels("other=4711"))).isEmpty();
		assertThat(only(labels("customer=4711")).labels()).containsExactly("#eu", "#urgent", "customer=4711");
	}

	@Test
	void beginningOfALabel() {
		String one = insert((job) -> job.meta("tags", List.of("urgent", "urban")).meta("customer", "4711"));
		String two = insert((job) -> job.meta("customer", "4712"));
		String three = insert((job) -> job.meta("customer", "48_%!").meta("tags", List.of("Urgent")));
		String four = insert((job) -> job.meta("customer", "48\ud83d\ude00"));
		assertThat(ids(labels("customer=47*"))).containsExactly(two, one);
		assertThat(ids(labels("customer=*"))).containsExactly(four, three, two, one);
		assertThat(ids(labels("customer=4711*"))).containsExactly(one);
		assertThat(ids(labels("customer=48_%*"))).containsExactly(three);
		assertThat(ids(labels("customer=4_*"))).as("no pattern").isEmpty();
		assertThat(ids(labels("#ur*"))).as("two labels of a job").containsExactly(one);
		assertThat(ids(labels("#*", "customer=4*"))).containsExactly(three, one);
		assertThat(ids(labels("customer=47*", "#urgent"))).containsExactly(one);
		assertThat(ids(labels("customer=47*").filter(JobFilter.ANY.queue("other")))).isEmpty();
	}

	@Test
	void beginningOfALabelWithAnyCharacterBehindIt() {
		String one = insert((job) -> job.meta("customer", "48"));
		String two = insert((job) -> job.meta("customer", "48\ud83d\ude00"));
		String three = insert((job) -> job.meta("customer", "48\uff21"));
		insert((job) -> job.meta("customer", "49"));
		insert((job) -> job.meta("customer", "4"));
		assertThat(ids(labels("customer=48*"))).containsExactly(three, two, one);
		assertThat(ids(labels("customer=48\ud83d\ude00*"))).containsExactly(two);
		assertThat(ids(labels("customer=48\uff21*"))).containsExactly(three);
	}

	@Test
	void labelThatEndsInAnAsterisk() {
		String one = insert((job) -> job.meta("customer", "promo*"));
		String two = insert((job) -> job.meta("customer", "promotion"));
		assertThat(ids(labels("customer=promo\\*"))).containsExactly(one);
		assertThat(ids(labels("customer=promo\\*", "customer=promo*"))).containsExactly(one);
		assertThat(ids(labels("customer=promo*"))).containsExactly(two, one);
	}

	@Test
	void beginningOfLabelsThatManyJobsHave() {
		String first = insert((job) -> job.meta("customer", "4711"));
		List<Object[]> others = Stream.iterate(0, (i) -> i + 1)
			.limit(10_001)
			.map((i) -> new Object[] { "customer=4" + i, UUID.fromString(database().id()) })
			.toList();
		database().jdbc().batchUpdate("insert into ojs_job_label (label, job_id) values (?, ?)", others);
		insert((job) -> job.meta("customer", "5"));
		assertThat(ids(labels("customer=4*"))).containsExactly(first);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "#", "=", "=4711", "urgent", "#a\0b", "customer=a\0b" })
	void otherLabelsAreRefused(String label) {
		refused("label", () -> labels(label));
	}

	@Test
	void tooLongOrTooManyAreRefused() {
		refused("label", () -> labels("#" + "x".repeat(JobSearch.MAX_LABEL)));
		refused("label",
				() -> labels(Stream.iterate(0, (i) -> i + 1).limit(11).map((i) -> "#" + i).toArray(String[]::new)));
		refused("error", () -> error(null, "x".repeat(201)));
		refused("error", () -> error(null, "a\0b"));
		refused("error_type", () -> error("x".repeat(256), null));
		refused("workflow_id", () -> new Criteria(JobFilter.ANY, null, null, Set.of(), null, null, "1", null));
	}

	private static void refused(String field, Runnable call) {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(call::run)
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field));
	}

	@Test
	void errors() {
		String one = failed("Connection to 10.0.0.1 timed out");
		String two = failed("100 % of \"quotas\" are used_up!\nTry later");
		insert("a", "t");
		assertThat(ids(error("io.ojs.TestException", null))).containsExactly(two, one);
		assertThat(ids(error("io.ojs.Test", null))).isEmpty();
		assertThat(ids(error("io.ojs.Test*", null))).containsExactly(two, one);
		assertThat(ids(error("io_ojs.*", null))).as("no pattern").isEmpty();
		assertThat(ids(error(null, "TIMED out"))).containsExactly(one);
		assertThat(ids(error(null, "% of \"Quotas\""))).containsExactly(two);
		assertThat(ids(error(null, "used_up!\ntry"))).containsExactly(two);
		assertThat(ids(error(null, "t%o"))).as("no pattern").isEmpty();
		assertThat(ids(error(null, "useddup"))).as("no pattern").isEmpty();
		assertThat(ids(error(null, "at home"))).as("of the stack trace").isEmpty();
		assertThat(ids(error(null, "handler_error"))).as("the code").isEmpty();
		Found found = only(error("io.ojs.TestException", "quotas"));
		assertThat(found.error()).isNotNull();
		assertThat(found.error().message()).endsWith("later");
	}

	@Test
	void textThatOnlyOtherPartsOfErrorsHaveDoesNotEndThePage() {
		List<String> wanted = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			wanted.add(0, failed("at home again"));
			failed("elsewhere");
		}
		assertThat(all(new JdbcJobSearch(database().database, LONG, 3), error(null, "at home"), 2)).isEqualTo(wanted);
	}

	@Test
	void workflow() {
		UUID workflow = UUID.fromString(database().id());
		String one = insert("a", "t");
		insert("a", "t");
		String gone = database().id();
		for (String id : List.of(one, gone)) {
			database().jdbc()
				.update("insert into ojs_workflow_job (workflow_id, step, job_id, type, envelope) values (?, ?, ?, ?, ?)",
						workflow, id.equals(one) ? 0 : 1, UUID.fromString(id), "t", "{}");
		}
		database().jdbc().update("update ojs_job set workflow_id = ? where id = ?", workflow, UUID.fromString(one));
		Criteria criteria = new Criteria(JobFilter.ANY, null, null, Set.of(), null, null, workflow.toString(), null);
		assertThat(ids(criteria)).containsExactly(one);
		assertThat(only(criteria).row().workflowId).isEqualTo(workflow);
		assertThat(ids(criteria.filter(JobFilter.ANY.queue("b")))).isEmpty();
	}

	@Test
	void allConditionsHold() {
		String wanted = insert((job) -> job.queue("a")
			.type("mail.send")
			.meta(Map.of("tags", List.of("urgent"), "tenant_id", "acme", "customer", 4711)));
		insert((job) -> job.queue("b").type("mail.send").meta("tags", List.of("urgent")));
		insert((job) -> job.queue("a").type("mail.send").meta("tenant_id", "acme"));
		insert((job) -> job.queue("a").type("mail.send").meta(Map.of("tags", List.of("urgent"), "tenant_id", "other")));
		JobFilter filter = new JobFilter("a", "mail.*", Set.of(JobState.AVAILABLE), false,
				TestStores.NOW.minusSeconds(3600), TestStores.NOW.plusSeconds(3600), Set.of(), "acme");
		assertThat(ids(new Criteria(filter, wanted.substring(0, 8), null, Set.of("#urgent", "customer=4711"), null,
				null, null, null)))
			.containsExactly(wanted);
	}

	@Test
	void tenantSeesItsOwnJobsOnly() {
		String own = insert((job) -> job.meta(Map.of("tenant_id", "acme", "tags", List.of("t"))));
		insert((job) -> job.meta(Map.of("tenant_id", "other", "tags", List.of("t"))));
		insert((job) -> job.meta("tags", List.of("t")));
		JobFilter acme = JobFilter.ANY.tenant("acme");
		assertThat(ids(of(acme))).containsExactly(own);
		assertThat(ids(labels("#t").filter(acme))).containsExactly(own);
		assertThat(ids(prefix("0").filter(acme))).containsExactly(own);
		assertThat(ids(of(acme.states(Set.of(JobState.AVAILABLE))))).containsExactly(own);
		assertThat(only(of(acme)).row().tenant).isEqualTo("acme");
	}

	@Test
	void jobShowsWhetherItIsEncrypted() {
		insert((job) -> job.type("plain").args(List.of("\"ojs_encoded\": true")));
		insert((job) -> job.type("secret").args(List.of(Map.of("ojs_encoded", true, "encoding", "x", "data", "AA=="))));
		insert((job) -> job.type("large").args(List.of("x".repeat(70_000))));
		assertThat(only(type("plain")).encrypted()).isFalse();
		assertThat(only(type("secret")).encrypted()).isTrue();
		assertThat(only(type("large")).encrypted()).isNull();
		assertThat(only(type("large")).row().sizeBytes).isGreaterThan(70_000);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 1000 })
	void pagesHaveNoGapsAndNoRepeatsWhileJobsAreInserted(int window) {
		List<String> rare = new ArrayList<>();
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			boolean isRare = i % 9 == 4;
			all.add(0, insert((job) -> job.type(isRare ? "rare" : "common").meta("tags", List.of("t"))));
			if (isRare) {
				rare.add(0, all.get(0));
			}
		}
		JobSearch small = new JdbcJobSearch(database().database, LONG, window);
		for (int limit : List.of(1, 2, 5)) {
			assertThat(all(small, Criteria.ANY, limit)).containsSubsequence(all).doesNotHaveDuplicates();
			assertThat(all(small, labels("#t"), limit)).containsSubsequence(all).doesNotHaveDuplicates();
			assertThat(all(small, type("rare"), limit)).isEqualTo(rare);
			assertThat(all(small, labels("#t").filter(type("rare").filter()), limit)).isEqualTo(rare);
			assertThat(all(small, type("rare").filter(type("rare").filter().states(Set.of(JobState.AVAILABLE))), limit))
				.isEqualTo(rare);
		}
	}

	/** Reads all pages, and inserts a job between any two of them. */
	private List<String> all(JobSearch jobs, Criteria criteria, int limit) {
		List<String> ids = new ArrayList<>();
		String before = null;
		do {
			Result page = jobs.search(criteria, before, limit);
			assertThat(page.complete()).isTrue();
			assertThat(page.jobs()).hasSizeLessThanOrEqualTo(limit);
			if (page.next() != null) {
				assertThat(page.jobs()).hasSize(limit);
				assertThat(page.backTo()).isNotNull();
			}
			ids.addAll(ids(page));
			before = page.next();
			insert("new", "new");
		}
		while (before != null);
		return ids;
	}

	@Test
	void searchThatHasNoMoreTimeSaysHowFarItCame() {
		List<String> jobs = new ArrayList<>(Arrays.asList(new String[10]));
		jobs.replaceAll((none) -> insert("a", "common"));
		String first = jobs.get(0);
		database().jdbc().update("update ojs_job set type = 'rare' where id = ?", UUID.fromString(first));
		JobSearch hasty = new JdbcJobSearch(database().database, Duration.ZERO, 4);
		Result result = hasty.search(type("rare"), null, 5);
		assertThat(result.jobs()).isEmpty();
		assertThat(result.complete()).isFalse();
		assertThat(result.next()).isNotNull();
		assertThat(result.backTo()).isBetween(TestStores.NOW.minusSeconds(60), Instant.now().plusSeconds(60));
		int pages = 1;
		while (!result.complete()) {
			result = hasty.search(type("rare"), result.next(), 5);
			pages++;
		}
		assertThat(pages).isEqualTo(3);
		assertThat(ids(result)).containsExactly(first);
		assertThat(result.next()).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "queue", "type", "error_type" })
	void indexOfAnOperatorMakesAWindowUnnecessary(String column) {
		String rare = failed("no");
		database().jdbc()
			.update("update ojs_job set queue = 'rare', type = 'rare', error_type = 'rare' where id = ?",
					UUID.fromString(rare));
		for (int i = 0; i < 10; i++) {
			insert("a", "common");
		}
		Criteria criteria = switch (column) {
			case "queue" -> of(JobFilter.ANY.queue("rare"));
			case "type" -> type("rare");
			default -> error("rare", null);
		};
		assertThat(new JdbcJobSearch(database().database, Duration.ZERO, 2).search(criteria, null, 5).complete())
			.isFalse();
		database().jdbc().execute("create index search_by_" + column + " on ojs_job (" + column + ", id)");
		try {
			assertThat(ids(new JdbcJobSearch(database().database, Duration.ZERO, 2).search(criteria, null, 5)))
				.containsExactly(rare);
		}
		finally {
			database().jdbc().execute("drop index search_by_" + column);
		}
	}

}
