package io.ojs.boot;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ojs.ErrorCode;
import io.ojs.OjsException;
import io.ojs.amqp.JobRefusedException;
import io.ojs.amqp.deadletter.ReplayRefusedException;
import io.ojs.client.BatchEnqueueException;
import io.ojs.client.EnqueueException;
import io.ojs.handler.JobNotAdmittedException;
import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.queue.QueueFullException;
import io.ojs.store.JobNotStoredException;
import io.ojs.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AssignableTypeFilter;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every exception has the code that the page about errors tells.
 */
class ErrorCodesTests {

	private static final Path PAGE = Path.of("..", "src", "docs", "errors.md");

	private static final Job JOB = Job.builder("019539a4-b68c-7def-8000-1a2b3c4d5e6f", "test.it", "default").build();

	/** Their code is that of another exception. */
	private static final Set<Class<?>> BORROWED = Set.of(JobNotStoredException.class, BatchEnqueueException.class,
			JobNotAdmittedException.class);

	/** They are told their code, such as this one. */
	private static final Map<Class<?>, ErrorCode> TOLD = Map.of(StoreException.class, ErrorCode.BACKEND_ERROR,
			InvalidJobException.class, ErrorCode.INVALID_PAYLOAD, JobRefusedException.class,
			ErrorCode.PAYLOAD_TOO_LARGE, ReplayRefusedException.class, ErrorCode.NOT_FOUND);

	static Stream<Class<? extends OjsException>> exceptions() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AssignableTypeFilter(OjsException.class));
		return scanner.findCandidateComponents("io.ojs")
			.stream()
			.<Class<? extends OjsException>>map((found) -> type(Objects.requireNonNull(found.getBeanClassName())))
			.filter(ErrorCodesTests::isApi);
	}

	/** Applications can catch no other. */
	private static boolean isApi(Class<?> type) {
		return Modifier.isPublic(type.getModifiers()) && !(type.getPackageName() + ".").contains(".internal.");
	}

	@ParameterizedTest
	@MethodSource("exceptions")
	void eachIsOnThePageWithItsCodeAndWhetherTryingAgainHelps(Class<? extends OjsException> type) throws Exception {
		if (BORROWED.contains(type)) {
			assertThat(Files.readString(PAGE)).contains("`" + type.getSimpleName() + "`");
			return;
		}
		OjsException exception = make(type);
		String row = "| `%s` | %s |".formatted(exception.code(), exception.isRetryable() ? "yes" : "no");
		assertThat(rows()).filteredOn((each) -> each.startsWith(row))
			.as(row)
			.singleElement()
			.asString()
			.contains("`" + type.getSimpleName() + "`");
	}

	@ParameterizedTest
	@EnumSource
	void eachCodeIsOnThePage(ErrorCode code) throws IOException {
		assertThat(rows()).anyMatch((row) -> row.startsWith("| `" + code + "` |"));
	}

	@Test
	void thePageNamesNoOther() throws IOException {
		Set<String> types = Stream.concat(exceptions(), Stream.of(OjsException.class, EnqueueException.class))
			.map(Class::getSimpleName)
			.collect(Collectors.toSet());
		assertThat(Pattern.compile("`(\\w+Exception)`").matcher(Files.readString(PAGE)).results())
			.extracting((match) -> match.group(1))
			.hasSizeGreaterThan(60)
			.isSubsetOf(types);
	}

	@Test
	void aBatchIsWhatItsFirstFailureIsAndHelpedIfAllOfThemAre() throws Exception {
		EnqueueException full = (EnqueueException) make(QueueFullException.class);
		EnqueueException refused = (EnqueueException) make(
				type("io.ojs.amqp.AccessRefusedException").asSubclass(EnqueueException.class));
		BatchEnqueueException some = new BatchEnqueueException(List.of(), List.of(full, refused));
		assertThat(some.code()).isEqualTo("QUEUE_FULL");
		assertThat(some.isRetryable()).isFalse();
		assertThat(new BatchEnqueueException(List.of(), List.of(full)).isRetryable()).isTrue();
	}

	private static List<String> rows() throws IOException {
		return Files.readAllLines(PAGE).stream().filter((line) -> line.startsWith("| `")).toList();
	}

	private static Class<? extends OjsException> type(String name) {
		try {
			return Class.forName(name).asSubclass(OjsException.class);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Of whatever it is made of, some value. */
	private static OjsException make(Class<? extends OjsException> type) throws Exception {
		return (OjsException) make(Arrays.stream(type.getDeclaredConstructors())
			.max(Comparator.comparingInt(Constructor::getParameterCount))
			.orElseThrow());
	}

	private static Object make(Constructor<?> constructor) throws Exception {
		constructor.setAccessible(true);
		List<@Nullable Object> values = new ArrayList<>();
		for (Class<?> type : constructor.getParameterTypes()) {
			values.add((type == ErrorCode.class) ? TOLD.get(constructor.getDeclaringClass()) : value(type));
		}
		return constructor.newInstance(values.toArray());
	}

	private static @Nullable Object value(Class<?> type) throws Exception {
		Map<Class<?>, Object> known = Map.of(String.class, "x", Job.class, JOB, Throwable.class,
				new IllegalStateException("away"), int.class, 406, long.class, 1L, boolean.class, true, Duration.class,
				Duration.ofSeconds(1), OffsetDateTime.class, OffsetDateTime.parse("2030-01-01T00:00:00Z"), List.class,
				List.of(), Map.class, Map.of());
		if (known.containsKey(type)) {
			return known.get(type);
		}
		if (type.isEnum()) {
			return type.getEnumConstants()[0];
		}
		if (type.isRecord()) {
			return make(type.getDeclaredConstructor(
					Arrays.stream(type.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new)));
		}
		return null;
	}

}
