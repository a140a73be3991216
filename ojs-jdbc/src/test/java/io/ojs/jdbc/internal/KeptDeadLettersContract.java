package io.ojs.jdbc.internal;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.ojs.client.internal.EncodedJob;
import io.ojs.deadletter.DeadLetterFilter;
import io.ojs.deadletter.DeadLetterPage;
import io.ojs.deadletter.DeadLetterStats;
import io.ojs.deadletter.DeadLetters;
import io.ojs.deadletter.ReplayOptions;
import io.ojs.deadletter.internal.DeadLetterStore;
import io.ojs.deadletter.internal.FoundDeadLetter;
import io.ojs.deadletter.internal.StoreDeadLetters;
import io.ojs.event.internal.Transition;
import io.ojs.internal.json.JsonValues;
import io.ojs.jdbc.internal.queue.JdbcQueueJobs;
import io.ojs.store.internal.attempt.Lease;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How dead letters are looked at and deleted.
 */
abstract class KeptDeadLettersContract extends DeadLetterContract {

	@Test
	@Tag("DLQ-006")
	void goesThroughPagesWhateverComesMeanwhile() {
		List<String> kept = new ArrayList<>();
		for (int i = 0; i < 25; i++) {
			this.clock.now = NOON.plusSeconds(i / 10);
			kept.add(dead("q", "a.b"));
		}
		List<String> seen = new ArrayList<>();
		DeadLetterPage page = this.letters.list(DeadLetterFilter.ANY, 10);
		page.letters().forEach((each) -> seen.add(each.job().id()));
		this.clock.now = NOON.plusSeconds(60);
		String late = dead("q", "a.b");
		while (page.next() != null) {
			page = this.letters.list(DeadLetterFilter.ANY, page.next(), 10);
			page.letters().forEach((each) -> seen.add(each.job().id()));
		}
		assertThat(seen).hasSize(25).containsExactlyInAnyOrderElementsOf(kept).doesNotContain(late);
		assertThat(seen.subList(0, 5)).containsExactlyInAnyOrderElementsOf(kept.subList(20, 25));
	}

	@Test
	void findsFailuresAtOnePlaceInTheCode() {
		String hash = "0123456789abcdef";
		EncodedJob failed = insert(job("q", "a.b"));
		Lease lease = claim(failed).lease();
		this.attempts.settle(List.of(new Outcome.Discarded(lease, error(1), hash, Transition.EXHAUST)), NOON);
		EncodedJob atBroker = job("q", "a.b");
		record(new FoundDeadLetter("q", atBroker, 1, Map.of(), error(1), hash, "rejected", null));
		EncodedJob elsewhere = job("q", "a.b");
		record(new FoundDeadLetter("q", elsewhere, 1, Map.of(), error(1), "fedcba9876543210", "rejected", null));
		dead("q", "a.b");
		assertThat(ids(DeadLetterFilter.ANY.stackHash(hash.toUpperCase(Locale.ROOT))))
			.containsExactlyInAnyOrder(failed.job().id(), atBroker.job().id());
		assertThat(this.letters.replayAll(DeadLetterFilter.ANY.stackHash(hash), ReplayOptions.CONFIRMED).replayed())
			.isEqualTo(2);
		assertThat(ids(DeadLetterFilter.ANY)).hasSize(2).contains(elsewhere.job().id());
	}

	/**
	 * A failure without a place in the code must not count among those of the last one.
	 */
	@Test
	void failureWithoutAPlaceHasNoHash() {
		EncodedJob job = insert(job("q", "a.b"));
		this.attempts.settle(
				List.of(new Outcome.Discarded(claim(job).lease(), error(1), "0123456789abcdef", Transition.EXHAUST)),
				NOON);
		this.letters.replay(job.job().id());
		assertThat(hash(job)).isEqualTo("0123456789abcdef");
		this.attempts.settle(List.of(new Outcome.Completed(claim(job).lease(), null)), NOON);
		assertThat(hash(job)).isEqualTo("0123456789abcdef");
		EncodedJob other = insert(job("q", "a.b"));
		this.attempts
			.settle(List.of(new Outcome.Retried(claim(other).lease(), error(1), "0123456789abcdef", NOON, NOON)), NOON);
		record(found(other));
		assertThat(hash(other)).isNull();
	}

	private String hash(EncodedJob job) {
		return this.jdbc.queryForObject("select error_hash from ojs_job where id = cast(? as uuid)", String.class,
				job.job().id());
	}

	@Test
	@Tag("DLQ-006")
	@Tag("DLQ-R005")
	void findsWhatIsAskedFor() {
		String one = dead("billing", "invoice.send_all", "a.B");
		this.clock.now = NOON.plusSeconds(10);
		String two = dead("billing", "invoice.sendxall", "a.Bc");
		this.clock.now = NOON.plusSeconds(20);
		String three = dead("mail", "email.send", "a_.B");
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(three, two, one);
		assertThat(ids(DeadLetterFilter.ANY.queue("billing"))).containsExactly(two, one);
		assertThat(ids(DeadLetterFilter.ANY.type("invoice.*"))).containsExactly(two, one);
		assertThat(ids(DeadLetterFilter.ANY.type("invoice.send_all"))).containsExactly(one);
		assertThat(ids(DeadLetterFilter.ANY.type("invoice"))).isEmpty();
		assertThat(ids(DeadLetterFilter.ANY.errorType("a.*"))).containsExactly(two, one);
		assertThat(ids(DeadLetterFilter.ANY.errorType("a_.*"))).containsExactly(three);
		assertThat(ids(DeadLetterFilter.ANY.errorType("a.B"))).containsExactly(one);
		assertThat(ids(DeadLetterFilter.ANY.errorType("%.*"))).isEmpty();
		assertThat(ids(DeadLetterFilter.ANY.since(NOON.plusSeconds(10)))).containsExactly(three, two);
		assertThat(ids(DeadLetterFilter.ANY.until(NOON.plusSeconds(10)))).containsExactly(one);
		assertThat(ids(DeadLetterFilter.ANY.ids(Set.of(one, three)))).containsExactly(three, one);
		assertThat(ids(DeadLetterFilter.ANY.ids(Set.of(one, three)).queue("mail"))).containsExactly(three);
	}

	@Test
	@Tag("DLQ-R004")
	void countsWhatTheyHaveInCommon() {
		dead("billing", "invoice.send", "a.B");
		this.clock.now = NOON.plusSeconds(5);
		dead("billing", "invoice.send", "a.C");
		dead("mail", "email.send", "a.C");
		assertThat(this.letters.stats()).isEqualTo(new DeadLetterStats(3, Map.of("billing", 2L, "mail", 1L),
				Map.of("invoice.send", 2L, "email.send", 1L), Map.of("a.B", 1L, "a.C", 2L), NOON, NOON.plusSeconds(5)));
		assertThat(this.letters.stats(DeadLetterFilter.ANY.queue("mail")).total()).isOne();
		assertThat(this.store.countByQueue()).isEqualTo(Map.of("billing", 2L, "mail", 1L));
		assertThat(this.letters.stats(DeadLetterFilter.ANY.queue("none")))
			.isEqualTo(new DeadLetterStats(0, Map.of(), Map.of(), Map.of(), null, null));
	}

	@Test
	void thoseOfOneQueueMayBeAmongThoseOfAnother() {
		this.stores.deadLetterQueues.put("mail", "graveyard");
		String stays = dead("billing", "invoice.send");
		String goes = dead("mail", "email.send");
		assertThat(ids(DeadLetterFilter.ANY.queue("graveyard"))).containsExactly(goes);
		assertThat(ids(DeadLetterFilter.ANY.queue("mail"))).isEmpty();
		assertThat(ids(DeadLetterFilter.ANY.origin("mail"))).containsExactly(goes);
		assertThat(ids(DeadLetterFilter.ANY.origin("mail").queue("graveyard"))).containsExactly(goes);
		assertThat(this.letters.get(goes).orElseThrow()).satisfies((letter) -> {
			assertThat(letter.job().queue()).isEqualTo("mail");
			assertThat(letter.deadLetterQueue()).isEqualTo("graveyard");
		});
		assertThat(this.letters.get(stays).orElseThrow().deadLetterQueue()).isEqualTo("billing");
		assertThat(this.letters.stats().byQueue()).isEqualTo(Map.of("billing", 1L, "graveyard", 1L));
		assertThat(this.store.countByQueue()).isEqualTo(Map.of("billing", 1L, "graveyard", 1L));
		assertThat(this.letters.replayAll(DeadLetterFilter.ANY.queue("graveyard"), ReplayOptions.CONFIRMED).replayed())
			.isOne();
		assertThat(this.jobs.find(goes).orElseThrow()).satisfies((job) -> {
			assertThat(job.job().queue()).as("where it came from").isEqualTo("mail");
			assertThat(job.deadLetterQueue()).isNull();
		});
		assertThat(this.relay.take(this.clock.now, this.clock.now.plusSeconds(30), 10).jobs())
			.extracting((job) -> job.queue())
			.containsExactly("mail");
	}

	@Test
	void jobThatWasMovedIsReplayedWhereItWas() {
		EncodedJob job = insert(job("q", "a.b"));
		new JdbcQueueJobs(this.stores.database).moveWaiting("q", "target", NOON);
		this.attempts.settle(List.of(new Outcome.Discarded(claim(job, "target").lease(), error(1), Transition.REJECT)),
				NOON);
		assertThat(this.letters.replay(job.job().id()).orElseThrow().queue()).isEqualTo("target");
		assertThat(relayed(job).queue()).isEqualTo("target");
	}

	@Test
	void showsDeadLettersAndNothingElse() {
		EncodedJob job = insert(job("q", "a.b"));
		assertThat(this.letters.get(job.job().id())).isEmpty();
		this.attempts
			.settle(List.of(new Outcome.Discarded(claim(job).lease(), error(1), Transition.REJECT_AND_DISCARD)), NOON);
		assertThat(this.letters.get(job.job().id())).isEmpty();
		assertThat(this.letters.replay(job.job().id())).isEmpty();
		assertThat(this.letters.delete(job.job().id())).isFalse();
		assertThat(this.letters.list(DeadLetterFilter.ANY, 10).letters()).isEmpty();
		assertThat(this.jobs.find(job.job().id())).isPresent();
	}

	@Test
	void deletesOneAndAllThatBelongsToIt() {
		String id = dead("q", "a.b");
		String other = dead("q", "a.b");
		String key = "0".repeat(64);
		this.jdbc.update("insert into ojs_unique_key (unique_key) values (?)", key);
		this.jdbc.update("update ojs_job set unique_key = ?", key);
		assertThat(this.letters.delete(id)).isTrue();
		assertThat(this.letters.delete(id)).isFalse();
		assertThat(this.jobs.find(id)).isEmpty();
		assertThat(this.jdbc.queryForObject("select count(*) from ojs_unique_key", Integer.class)).isOne();
		assertThat(this.letters.delete(other)).isTrue();
		assertThat(this.jdbc.queryForObject("select count(*) from ojs_unique_key", Integer.class)).isZero();
		assertThat(events(id)).endsWith("dead_letter.deleted");
	}

	@Test
	void clockThatIsBehindLeavesNothingOut() {
		String one = dead("q", "a.b");
		String two = dead("other", "a.b");
		this.clock.now = NOON.minusSeconds(60);
		assertThat(this.letters.replayAll(DeadLetterFilter.ANY, ReplayOptions.DRY_RUN).replayed()).isEqualTo(2);
		assertThat(this.letters.replayAll(DeadLetterFilter.ANY.queue("q"), ReplayOptions.CONFIRMED).replayed()).isOne();
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(two).doesNotContain(one);
		assertThat(this.letters.purge(DeadLetterFilter.ANY, true)).isOne();
		assertThat(ids(DeadLetterFilter.ANY)).isEmpty();
	}

	@Test
	void purgesWhatAFilterMeans() {
		many(1100);
		String other = dead("other", "a.b");
		assertThat(this.letters.purge(DeadLetterFilter.ANY.queue("q"), true)).isEqualTo(1100);
		assertThat(ids(DeadLetterFilter.ANY)).containsExactly(other);
		assertThat(this.letters.purge(DeadLetterFilter.ANY.since(NOON.plusSeconds(60)), true)).isZero();
	}

	@Test
	void purgesNothingWhereThereIsNothing() {
		List<String> asked = new ArrayList<>();
		DeadLetterStore watched = (DeadLetterStore) Proxy.newProxyInstance(DeadLetterStore.class.getClassLoader(),
				new Class<?>[] { DeadLetterStore.class }, (proxy, method, arguments) -> {
					asked.add(method.getName());
					return method.invoke(this.store, arguments);
				});
		DeadLetters none = new StoreDeadLetters(watched, this.stores.transactions, new JsonValues(JsonMapper.shared()),
				this.codec, 1024 * 1024, this.clock, this.wakes::incrementAndGet);
		assertThat(none.purge(DeadLetterFilter.ANY, true)).isZero();
		assertThat(asked).containsExactly("list");
	}

}
