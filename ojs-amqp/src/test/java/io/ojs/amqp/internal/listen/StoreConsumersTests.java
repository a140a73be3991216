package io.ojs.amqp.internal.listen;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ojs.amqp.Ordering;
import io.ojs.amqp.QueueKind;
import io.ojs.amqp.internal.message.JobMessages;
import io.ojs.amqp.internal.run.Deadlines;
import io.ojs.amqp.internal.run.JobRuntime;
import io.ojs.amqp.internal.run.RunningJobs;
import io.ojs.amqp.internal.run.Supervision;
import io.ojs.amqp.internal.run.WorkerControl;
import io.ojs.amqp.internal.topology.QueueSettings;
import io.ojs.event.internal.JobEvents;
import io.ojs.handler.JobCancelledException;
import io.ojs.handler.JobContext;
import io.ojs.handler.internal.JobHandlerDefinition;
import io.ojs.handler.internal.JobHandlers;
import io.ojs.handler.internal.RetryPolicies;
import io.ojs.handler.internal.Timeouts;
import io.ojs.internal.fetch.ProcessFetch;
import io.ojs.internal.fetch.WakeUps;
import io.ojs.internal.json.JsonJobCodec;
import io.ojs.internal.trace.JobTracing;
import io.ojs.job.Job;
import io.ojs.job.JobVersion;
import io.ojs.job.VersionRange;
import io.ojs.middleware.internal.ExecutionChain;
import io.ojs.queue.Delivery;
import io.ojs.queue.internal.LiveQueues;
import io.ojs.retry.RetryOverrides;
import io.ojs.retry.RetryPolicy;
import io.ojs.store.StoreUnavailableException;
import io.ojs.store.internal.attempt.Attempts;
import io.ojs.store.internal.attempt.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How a queue is worked whose jobs the store delivers.
 */
@Timeout(60)
class StoreConsumersTests {

	/** Less than what as many looks at the store take that nobody asks for. */
	private static final Duration QUICKLY = Duration.ofSeconds(5);

	private final ScriptedFetches store = new ScriptedFetches();

	private final Attempts attempts = this.store.attempts();

	/** Of which queues other processes were told. */
	private final List<String> told = new CopyOnWriteArrayList<>();

	private final WakeUps wakeUps = new WakeUps(this.told::add);

	private final RunningJobs running = new RunningJobs();

	private final Deadlines deadlines = new Deadlines();

	private final List<String> events = new CopyOnWriteArrayList<>();

	/** Jobs whose handlers have begun. */
	private final List<String> begun = new CopyOnWriteArrayList<>();

	/** Handlers wait for it. */
	private volatile CountDownLatch open = new CountDownLatch(0);

	/** What the handler does when that is open. */
	private volatile Handler handler = (context) -> {
	};

	/** How many threads there may be for handlers. */
	private final AtomicInteger threads = new AtomicInteger(1000);

	private volatile boolean stopping;

	private volatile boolean cutOff;

	private final List<StoreConsumers> made = new ArrayList<>();

	private final CountDownLatch ended = new CountDownLatch(1);

	private int number;

	@AfterEach
	void end() {
		this.cutOff = true;
		this.open.countDown();
		this.made.forEach((consumers) -> {
			CountDownLatch stopped = new CountDownLatch(1);
			consumers.stop(Duration.ofSeconds(10), stopped::countDown);
			await().until(() -> stopped.getCount() == 0);
		});
		this.wakeUps.close();
		this.attempts.leases().stop();
		this.deadlines.close();
	}

	private StoreConsumers start(int concurrency, int prefetch) {
		StoreConsumers consumers = consumers(concurrency, prefetch);
		this.wakeUps.start();
		this.attempts.leases().start();
		consumers.start(null);
		return consumers;
	}

	private StoreConsumers consumers(int concurrency, int prefetch) {
		JobRuntime runtime = runtime();
		QueueSettings settings = new QueueSettings("desk", QueueKind.CLASSIC, 20, Map.of(), concurrency, prefetch,
				RetryPolicy.DEFAULT, Ordering.NONE, 8, Delivery.STORE);
		StoreConsumers consumers = new StoreConsumers(settings, concurrency, runtime,
				new StoreWork(this.store, this.wakeUps, (queue) -> (task) -> {
					if (this.threads.getAndDecrement() <= 0) {
						throw new OutOfMemoryError("unable to create native thread");
					}
					return new Thread(task, "ojs-test-" + queue);
				}), () -> this.cutOff,
				(left) -> new DeliveryProcessor<>(runtime, DeliverySource.ofStore(),
						new AttemptRunner("desk", runtime, LiveQueues.UNMANAGED, () -> this.stopping),
						new OutcomeRecorder(this.attempts, () -> this.cutOff, left), () -> this.stopping));
		this.made.add(consumers);
		return consumers;
	}

	private JobRuntime runtime() {
		JobHandlers handlers = new JobHandlers(List.of(new JobHandlerDefinition("desk.add",
				VersionRange.only(JobVersion.LOWEST), "desk", 1, null, RetryOverrides.NONE, this::handle, "test")));
		Supervision supervision = new Supervision(this.running, new Timeouts((queue) -> Duration.ofMinutes(1)),
				this.deadlines, WorkerControl.NONE, this.attempts);
		return new JobRuntime(new JobMessages(new JsonJobCodec()), handlers,
				new RetryPolicies((queue) -> RetryPolicy.DEFAULT, handlers), supervision,
				new JobEvents(List.of((event) -> this.events.add(event.getClass().getSimpleName()))), JobTracing.NONE,
				ExecutionChain.EMPTY, Clock.systemUTC());
	}

	private Object handle(JobContext context) throws Exception {
		this.begun.add(context.job().id());
		this.open.await();
		this.handler.handle(context);
		return "done";
	}

	private void block() {
		this.open = new CountDownLatch(1);
	}

	/** Makes jobs available. */
	private List<String> jobs(int count) {
		List<Job> jobs = IntStream.range(0, count)
			.mapToObj((i) -> Job.builder("019539a4-b68c-7def-8000-%012d".formatted(++this.number), "desk.add", "desk")
				.build())
			.toList();
		this.store.available.addAll(jobs);
		return jobs.stream().map(Job::id).toList();
	}

	private String job() {
		return jobs(1).get(0);
	}

	/** Makes a job available that is not fetched before a thread is free for it. */
	private String jobAtOnce() {
		String id = job();
		this.store.atOnce.add(id);
		return id;
	}

	private void wake() {
		this.wakeUps.available("desk");
	}

	private List<String> completed() {
		return this.store.ended(Outcome.Completed.class);
	}

	/** What was fetched and has not ended. */
	private int held(List<String> ids) {
		return ids.size() - this.store.available.size() - this.store.settled.size();
	}

	private void awaitCompleted(List<String> ids) {
		await().untilAsserted(() -> assertThat(completed()).containsExactlyInAnyOrderElementsOf(ids));
	}

	/**
	 * Jobs that come fast are fetched together: a fetch that has found several is
	 * followed by a rest.
	 */
	@Test
	void fetchesThatFindSeveralJobsAreFiveMillisecondsApart() {
		start(2, 2);
		await().until(() -> !this.store.requests.isEmpty());
		long begin = System.nanoTime();
		for (int i = 0; i < 20; i++) {
			List<String> ids = jobs(2);
			wake();
			while (!completed().containsAll(ids)) {
				Thread.onSpinWait();
			}
		}
		// The look of each second may find one job of two.
		assertThat(System.nanoTime() - begin).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(15 * 5));
	}

	@Test
	void jobsRunOnAsManyThreadsAsItsConcurrencySays() {
		block();
		List<String> ids = jobs(9);
		StoreConsumers consumers = start(3, 10);
		await().until(() -> this.begun.size() == 3);
		await().during(Duration.ofMillis(100)).until(() -> this.begun.size() == 3);
		assertThat(this.running.size()).isEqualTo(3);
		assertThat(consumers.active()).isEqualTo(3);
		assertThat(this.begun).as("the first ones first").containsExactlyInAnyOrderElementsOf(ids.subList(0, 3));
		this.open.countDown();
		awaitCompleted(ids);
		assertThat(this.events.stream().filter("Completed"::equals)).hasSize(9);
		assertThat(this.begun).containsExactlyInAnyOrderElementsOf(ids);
	}

	@Test
	void itAsksForWhatItCanRunInTheNameOfItsProcess() {
		jobs(1);
		start(3, 10);
		await().until(() -> !this.store.requests.isEmpty());
		ProcessFetch request = this.store.requests.get(0);
		assertThat(request.queue()).isEqualTo("desk");
		assertThat(request.process()).isEqualTo("worker");
		assertThat(request.lease()).isEqualTo(Duration.ofSeconds(30));
		assertThat(request.handled().versions()).containsOnlyKeys("desk.add");
		assertThat(request.now()).isEqualTo(3);
		assertThat(request.most()).as("before it knows how long jobs take").isEqualTo(3);
	}

	@Test
	void moreIsFetchedInAdvanceTheQuickerJobsAre() {
		List<String> ids = jobs(400);
		start(1, 100);
		awaitCompleted(ids);
		assertThat(this.store.requests.get(0).most()).isEqualTo(1);
		assertThat(this.store.requests).anyMatch((request) -> request.most() > 20);
		assertThat(this.store.requests).allMatch((request) -> request.most() <= 100);
	}

	@Test
	void noMoreIsHeldThanThePrefetchAllows() {
		awaitQuick(2, 3);
		this.store.settled.clear();
		block();
		List<String> ids = jobs(100);
		wake();
		await().until(() -> held(ids) == 6);
		await().during(Duration.ofMillis(100)).until(() -> held(ids) == 6);
	}

	/** Has it know that jobs are quick. */
	private StoreConsumers awaitQuick(int concurrency, int prefetch) {
		List<String> ids = jobs(150);
		StoreConsumers consumers = start(concurrency, prefetch);
		awaitCompleted(ids);
		return consumers;
	}

	/**
	 * Has it know that jobs are quick, so that it fetches one in advance for each thread,
	 * and then has handlers wait.
	 */
	private StoreConsumers blocked(int concurrency) {
		StoreConsumers consumers = awaitQuick(concurrency, 2);
		forget();
		return consumers;
	}

	private void forget() {
		await().until(() -> this.running.size() == 0);
		this.store.settled.clear();
		this.begun.clear();
		this.told.clear();
		this.events.clear();
		block();
	}

	@Test
	void whatWaitsTooLongForAThreadIsGivenBackAndNothingIsFetchedInAdvanceThen() {
		blocked(2);
		List<String> ids = jobs(4);
		wake();
		await().until(() -> this.store.available.isEmpty());
		await().untilAsserted(() -> assertThat(this.store.ended(Outcome.Requeued.class)).isEqualTo(ids.subList(2, 4)));
		await("this process lets go of what the store has back").until(() -> !this.running.cancel(ids.get(2)));
		job();
		wake();
		await().during(Duration.ofMillis(100)).until(() -> this.store.available.size() == 1);
		this.open.countDown();
		await().until(() -> completed().size() == 3);
	}

	@Test
	void whatIsCancelledWhileItWaitsIsToldOfAlthoughItIsNotGivenBack() {
		StoreConsumers consumers = blocked(1);
		List<String> ids = jobs(2);
		wake();
		await().until(() -> this.begun.size() == 1 && this.store.available.isEmpty());
		this.store.lost.put(ids.get(1), true);
		this.running.cancel(ids.get(1));
		stop(consumers, Duration.ofSeconds(30));
		await().until(() -> this.events.contains("Cancelled"));
		assertThat(this.store.ended(Outcome.Requeued.class)).isEmpty();
		this.open.countDown();
		await().until(() -> this.ended.getCount() == 0);
		assertThat(this.begun).containsExactly(ids.get(0));
		assertThat(consumers.active()).isZero();
	}

	@Test
	void whatOthersHaveLockedIsFetchedAgainAndOthersAreNotTold() {
		start(2, 10);
		await().until(() -> !this.store.requests.isEmpty());
		this.store.locked.set(20);
		List<String> ids = jobs(1);
		wake();
		await().atMost(QUICKLY).until(() -> this.store.locked.get() == 0 && completed().equals(ids));
		assertThat(this.told).isEmpty();
	}

	@Test
	void oneFetchTakesNoMoreThanTheStoreAllows() {
		List<String> ids = jobs(2000);
		start(10, 100);
		awaitCompleted(ids);
		assertThat(this.store.requests).allMatch((request) -> request.most() <= ProcessFetch.MOST)
			.anyMatch((request) -> request.most() == ProcessFetch.MOST);
	}

	@Test
	void whatNoThreadCanBeMadeForIsGivenBack() {
		this.threads.set(0);
		List<String> ids = jobs(2);
		start(2, 10);
		await().untilAsserted(() -> assertThat(this.store.ended(Outcome.Requeued.class)).isEqualTo(ids));
		assertThat(this.running.cancel(ids.get(0))).as("this process does not have it").isFalse();
		assertThatNoLeaseIsExtended();
		this.threads.set(100);
		List<String> next = jobs(2);
		wake();
		awaitCompleted(next);
	}

	@Test
	void noTwoFetchesBeginAtTheSameTime() {
		// As a clock does that was ahead of the one of the database.
		this.store.time = Instant.now();
		awaitCompleted(startedWith(jobs(300)));
		List<Instant> times = this.store.calls.stream()
			.map((call) -> Instant.parse(call.substring("fetch at ".length())))
			.toList();
		assertThat(times).isSorted().doesNotHaveDuplicates();
	}

	private List<String> startedWith(List<String> ids) {
		start(1, 10);
		return ids;
	}

	@Test
	void aPrefetchOfOneFetchesNothingInAdvance() {
		awaitQuick(2, 1);
		this.store.settled.clear();
		block();
		List<String> ids = jobs(10);
		wake();
		await().until(() -> held(ids) == 2);
		wake();
		await().during(Duration.ofMillis(100)).until(() -> held(ids) == 2);
		assertThat(this.store.requests).allMatch((request) -> request.now() == request.most());
	}

	@Test
	void itFetchesWhenItIsWoken() {
		start(1, 10);
		await().until(() -> !this.store.requests.isEmpty());
		long began = System.nanoTime();
		for (int i = 1; i <= 20; i++) {
			int so = i;
			job();
			wake();
			await().pollInterval(Duration.ofMillis(2)).until(() -> this.begun.size() == so);
		}
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(QUICKLY);
	}

	@Test
	void itFindsByItselfWhatItWasNotWokenFor() {
		start(1, 10);
		await().until(() -> !this.store.requests.isEmpty());
		String id = job();
		awaitCompleted(List.of(id));
	}

	@Test
	void whatIsLeftIsFetchedAsSoonAsAThreadIsFree() {
		List<String> ids = jobs(20);
		long began = System.nanoTime();
		start(1, 1);
		awaitCompleted(ids);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(QUICKLY);
	}

	@Test
	void jobsThatAreNotFetchedInAdvanceAreFetchedAsSoonAsAThreadIsFree() {
		List<String> ids = IntStream.range(0, 20).mapToObj((i) -> jobAtOnce()).toList();
		long began = System.nanoTime();
		start(1, 10);
		awaitCompleted(ids);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(QUICKLY);
	}

	@Test
	void othersAreToldOfJobsThatAreNotFetchedInAdvance() {
		block();
		job();
		jobAtOnce();
		start(1, 10);
		await().until(() -> this.told.contains("desk"));
	}

	@Test
	void whileNoThreadIsFreeItDoesNotAskForJobsThatAreNotFetchedInAdvance() {
		awaitQuick(1, 50);
		block();
		List<String> ids = jobs(10);
		jobAtOnce();
		wake();
		await().until(() -> this.store.available.size() == 1);
		await().until(() -> this.told.contains("desk"));
		int requests = this.store.requests.size();
		CountDownLatch before = this.open;
		block();
		before.countDown();
		await().until(() -> this.begun.containsAll(ids.subList(0, 2)));
		assertThat(this.store.requests).hasSize(requests);
	}

	@Test
	void othersAreToldOfMoreThanItHolds() {
		blocked(2);
		jobs(5);
		wake();
		await().until(() -> this.told.contains("desk"));
		assertThat(this.store.available).hasSize(1);
	}

	@Test
	void othersAreNotToldOfJobsThatItHasAllFetched() {
		blocked(2);
		jobs(3);
		wake();
		await().until(() -> this.store.available.isEmpty());
		await().during(Duration.ofMillis(100)).until(this.told::isEmpty);
	}

	@Test
	void itSaysWhetherAThreadIsFree() {
		block();
		start(1, 10);
		await().until(() -> this.wakeUps.wake("desk"));
		job();
		wake();
		await().until(() -> !this.wakeUps.wake("desk"));
		this.open.countDown();
		await().until(() -> this.wakeUps.wake("desk"));
	}

	@Test
	void whatAFetchMayHaveTakenThatWasNotAnsweredIsGivenBackFirst() {
		String lost = job();
		this.store.failures.add(new StoreUnavailableException("no answer", null, true));
		this.store.givingFailures.add(new StoreUnavailableException("no answer", null, true));
		start(1, 10);
		await().until(() -> this.store.calls.size() >= 4);
		String at = this.store.calls.get(0).substring("fetch at ".length());
		assertThat(this.store.calls.subList(1, 3)).containsOnly("give back 1 of " + at);
		assertThat(this.store.calls.get(3)).startsWith("fetch at ");
		assertThat(this.begun).doesNotContain(lost);
		List<String> next = jobs(1);
		wake();
		awaitCompleted(next);
	}

	@Test
	void aFetchThatHasCertainlyTakenNothingLeavesNothingToGiveBack() {
		this.store.failures.add(new StoreUnavailableException("no connection", null, false));
		start(1, 10);
		await().until(() -> this.store.requests.size() >= 2);
		assertThat(this.store.calls).allMatch((call) -> call.startsWith("fetch at "));
	}

	@Test
	void aStopGivesBackWhatHasNotBegunAndWaitsForWhatRuns() {
		StoreConsumers consumers = blocked(2);
		List<String> ids = jobs(5);
		wake();
		await().until(() -> this.begun.size() == 2 && this.store.available.size() == 1);
		stop(consumers, Duration.ofSeconds(30));
		assertThat(consumers.isRunning()).isFalse();
		assertThat(this.wakeUps.wake("desk")).isFalse();
		await().untilAsserted(() -> assertThat(this.store.ended(Outcome.Requeued.class)).isEqualTo(ids.subList(2, 4)));
		await().until(() -> consumers.active() == 2);
		assertThat(this.ended.getCount()).isOne();
		this.open.countDown();
		await().until(() -> this.ended.getCount() == 0);
		assertThat(completed()).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
		assertThat(this.begun).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
		assertThat(consumers.active()).isZero();
		assertThat(this.store.available).as("nothing was fetched any more").hasSize(1);
		assertThat(this.running.cancel(ids.get(2))).as("this process does not have it").isFalse();
		assertThatNoLeaseIsExtended();
	}

	private void stop(StoreConsumers consumers, Duration patience) {
		consumers.stop(patience, this.ended::countDown);
	}

	private void assertThatNoLeaseIsExtended() {
		this.store.extended = List.of("?");
		this.attempts.leases().extendSoon();
		await().untilAsserted(() -> assertThat(this.store.extended).isEmpty());
	}

	@Test
	void aStopWaitsNoLongerThanItsPatience() {
		block();
		jobs(1);
		StoreConsumers consumers = start(1, 10);
		await().until(() -> this.begun.size() == 1);
		stop(consumers, Duration.ofMillis(50));
		await().until(() -> this.ended.getCount() == 0);
		assertThat(completed()).isEmpty();
		this.open.countDown();
		await().until(() -> completed().size() == 1);
	}

	@Test
	void norIfTheDatabaseIsAway() {
		StoreConsumers consumers = blocked(1);
		jobs(2);
		wake();
		await().until(() -> this.begun.size() == 1 && this.store.available.isEmpty());
		this.store.away = true;
		stop(consumers, Duration.ofMillis(300));
		await().until(() -> this.ended.getCount() == 0);
		assertThat(this.store.settled).isEmpty();
		this.open.countDown();
	}

	@Test
	void aStopWaitsForWhatRunsAlthoughTheStoreTakesNothingBack() {
		StoreConsumers consumers = blocked(1);
		List<String> ids = jobs(2);
		wake();
		await().until(() -> this.begun.size() == 1 && this.store.available.isEmpty());
		this.store.refuses = true;
		stop(consumers, Duration.ofSeconds(30));
		this.store.extended = List.of("?");
		await().untilAsserted(() -> {
			this.attempts.leases().extendSoon();
			assertThat(this.store.extended).as("the lease of the other one ends").isEqualTo(ids.subList(0, 1));
		});
		assertThat(this.ended.getCount()).isOne();
		this.store.refuses = false;
		this.open.countDown();
		await().until(() -> this.ended.getCount() == 0);
		assertThat(completed()).isEqualTo(ids.subList(0, 1));
		assertThat(consumers.active()).isZero();
	}

	@Test
	void whatIsFetchedWhenItHasStoppedIsGivenBack() {
		StoreConsumers consumers = blocked(1);
		CountDownLatch answer = new CountDownLatch(1);
		CountDownLatch asked = new CountDownLatch(1);
		this.store.meanwhile = () -> {
			asked.countDown();
			await().until(() -> answer.getCount() == 0);
		};
		List<String> ids = jobs(2);
		wake();
		await().until(() -> asked.getCount() == 0);
		stop(consumers, Duration.ofSeconds(30));
		// As if the database took longer than the stop waits for it.
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
			.filteredOn((thread) -> thread.getName().equals("ojs-stop-desk"))
			.singleElement()
			.satisfies(Thread::interrupt));
		await().until(() -> this.ended.getCount() == 0);
		answer.countDown();
		await().untilAsserted(() -> assertThat(this.store.ended(Outcome.Requeued.class)).isEqualTo(ids));
		assertThat(this.begun).isEmpty();
		assertThatNoLeaseIsExtended();
	}

	@Test
	void aPauseGivesBackWhatHasNotBegunAndTheQueueGoesOnWithTheThreadsThatAreFree() {
		List<String> quick = jobs(150);
		WorkedQueue queue = new WorkedQueue("desk", false, false, (count) -> List.of(consumers(count, 2)));
		this.attempts.leases().start();
		queue.prepare(2);
		queue.start();
		awaitCompleted(quick);
		forget();
		List<String> ids = jobs(4);
		wake();
		await().until(() -> this.begun.size() == 2 && this.store.available.isEmpty());
		queue.pause();
		await().untilAsserted(() -> assertThat(this.store.ended(Outcome.Requeued.class)).isEqualTo(ids.subList(2, 4)));
		assertThat(queue.containers()).isEmpty();
		List<String> more = jobs(2);
		assertThat(queue.work(2)).as("all threads have their jobs").isFalse();
		assertThat(this.begun).hasSize(2);
		this.open.countDown();
		await().until(() -> queue.work(2));
		awaitCompleted(List.of(ids.get(0), ids.get(1), more.get(0), more.get(1)));
		assertThat(queue.stop(Duration.ofSeconds(10))).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void theConcurrencyChangesWhileItWorks() {
		block();
		List<String> ids = jobs(20);
		StoreConsumers consumers = start(1, 2);
		await().until(() -> this.begun.size() == 1);
		consumers.concurrency(3);
		await().until(() -> this.begun.size() == 3);
		assertThat(consumers.active()).isEqualTo(3);
		AtomicInteger most = new AtomicInteger();
		this.handler = (context) -> most.accumulateAndGet(this.running.size(), Math::max);
		consumers.concurrency(1);
		this.open.countDown();
		awaitCompleted(ids);
		most.set(0);
		this.store.settled.clear();
		List<String> more = jobs(10);
		wake();
		awaitCompleted(more);
		assertThat(most).hasValue(1);
	}

	@Test
	void aHandlerThatThrowsIsRetriedAndItsThreadGoesOn() {
		for (Throwable thrown : List.of(new IllegalStateException("no luck"), new StackOverflowError(),
				new NoClassDefFoundError("x"))) {
			this.store.settled.clear();
			this.handler = (context) -> {
				throw sneaky(thrown);
			};
			String id = job();
			if (this.made.isEmpty()) {
				start(1, 10);
			}
			wake();
			await().untilAsserted(() -> assertThat(this.store.ended(Outcome.Retried.class)).containsExactly(id));
			assertThatItsThreadGoesOn();
		}
		assertThat(this.events).contains("Failed", "Retrying");
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> RuntimeException sneaky(Throwable thrown) throws T {
		throw (T) thrown;
	}

	private void assertThatItsThreadGoesOn() {
		this.handler = (context) -> {
		};
		this.store.settled.clear();
		String next = job();
		wake();
		awaitCompleted(List.of(next));
		assertThatNoLeaseIsExtended();
		await().until(() -> this.wakeUps.wake("desk"));
	}

	@Test
	void aHandlerThatSaysThatItsJobIsCancelledEndsIt() {
		this.handler = (context) -> {
			throw new JobCancelledException(context.job().id(), null);
		};
		String id = job();
		start(1, 10);
		await().untilAsserted(() -> assertThat(this.store.ended(Outcome.Cancelled.class)).containsExactly(id));
		assertThatItsThreadGoesOn();
	}

	@Test
	void aHandlerWhoseLeaseIsLostIsInterruptedAndNothingIsRecorded() {
		block();
		String id = job();
		start(1, 10);
		await().until(() -> this.begun.contains(id));
		this.store.lost.put(id, false);
		this.attempts.leases().extendSoon();
		await().until(() -> this.running.size() == 0);
		this.open.countDown();
		assertThatItsThreadGoesOn();
		assertThat(this.store.settled).extracting((outcome) -> outcome.lease().jobId()).doesNotContain(id);
		assertThat(this.events).doesNotContain("Failed", "Cancelled");
	}

	@Test
	void aJobThatIsCancelledWhileItRunsIsInterruptedAndToldSo() {
		block();
		String id = job();
		start(1, 10);
		await().until(() -> this.begun.contains(id));
		this.store.lost.put(id, true);
		assertThat(this.running.cancel(id)).isTrue();
		await().until(() -> this.events.contains("Cancelled"));
		this.open.countDown();
		assertThatItsThreadGoesOn();
	}

	@Test
	void aJobThatIsCancelledBeforeItsThreadTakesItUpDoesNotRun() {
		blocked(1);
		List<String> ids = jobs(2);
		wake();
		await().until(() -> this.begun.size() == 1 && this.store.available.isEmpty());
		this.store.lost.put(ids.get(1), true);
		assertThat(this.running.cancel(ids.get(1))).as("it is this process's").isTrue();
		assertThat(this.running.size()).as("that run").isOne();
		this.open.countDown();
		await().until(() -> this.events.contains("Cancelled"));
		assertThat(this.begun).containsExactly(ids.get(0));
		assertThatItsThreadGoesOn();
		assertThat(this.running.cancel(ids.get(1))).as("nothing is left of it").isFalse();
	}

	@Test
	void anOutcomeThatTheStoreRefusesForGoodIsNotToldAsADeadLetter() {
		this.handler = (context) -> this.store.refuses = true;
		job();
		start(1, 10);
		await().until(() -> this.begun.size() == 1 && this.running.size() == 0);
		assertThatNoLeaseIsExtended();
		this.store.refuses = false;
		assertThatItsThreadGoesOn();
		assertThat(this.events).doesNotContain("DeadLettered", "Failed");
	}

	@Test
	void outcomesAreRecordedWhenTheDatabaseIsBack() {
		this.handler = (context) -> this.store.away = true;
		List<String> ids = jobs(1);
		start(1, 10);
		await().until(() -> this.store.away);
		this.handler = (context) -> {
		};
		this.store.away = false;
		awaitCompleted(ids);
		assertThatItsThreadGoesOn();
	}

	/**
	 * What a handler does.
	 */
	private interface Handler {

		void handle(JobContext context) throws Exception;

	}

}
