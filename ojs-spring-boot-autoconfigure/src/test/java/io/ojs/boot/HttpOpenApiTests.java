package io.ojs.boot;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.ojs.boot.worker.OjsFetchAutoConfiguration;
import io.ojs.internal.json.JobRequestJson;
import io.ojs.internal.json.JsonObjects;
import io.ojs.job.InvalidJobException;
import io.ojs.web.Access;
import io.ojs.web.internal.Endpoints;
import io.ojs.web.internal.Routes;
import io.ojs.web.internal.endpoint.OpenApiEndpoints;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The description of the HTTP API says what there is, nothing else, and says it as
 * OpenAPI 3.1 has it.
 */
class HttpOpenApiTests {

	private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

	private static final Set<String> TYPES = Set.of("string", "integer", "number", "boolean", "object", "array",
			"null");

	private final Map<String, @Nullable Object> description = description();

	@Test
	void eachEndpointIsDescribedAndNothingElse() {
		HttpApi.RUNNER.withConfiguration(AutoConfigurations.of(OjsFetchAutoConfiguration.class))
			.withPropertyValues("ojs.http.allow-anonymous=true", "ojs.webhooks.enabled=true",
					"ojs.http.root-endpoints=true", "ojs.tenancy.enabled=true",
					"ojs.encryption.codec-server.enabled=true",
					"ojs.encryption.keys.k=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
			.run((context) -> {
				Routes routes = new Routes();
				context.getBeansOfType(Endpoints.class).values().forEach((some) -> some.addTo(routes));
				Set<String> there = new TreeSet<>();
				routes.all()
					.forEach((route) -> there.add("%s %s %s%s".formatted(route.method().toLowerCase(), route.path(),
							route.access().name().toLowerCase(), route.tenants() ? " of tenants" : "")));
				Set<String> described = new TreeSet<>();
				operations((at, operation) -> described.add(at + " " + access(operation) + tenants(operation)));
				assertThat(described).isEqualTo(there);
			});
	}

	private static String tenants(Map<String, Object> operation) {
		return ((List<?>) operation.getOrDefault("parameters", List.of())).stream()
			.anyMatch((parameter) -> parameter.toString().contains("X-OJS-Tenant")) ? " of tenants" : "";
	}

	@Test
	void whatAnApplicationDoesNotHaveIsNotShownThere() {
		HttpApi.open((api) -> {
			HttpApi.Answer answer = api.get("/ojs/openapi.json");
			assertThat(answer.status()).isEqualTo(200);
			assertThat(answer.header("Content-Type")).isEqualTo("application/json");
			assertThat(answer.text("openapi")).startsWith("3.1.");
			Map<?, ?> paths = (Map<?, ?>) answer.at("paths");
			assertThat(paths).isNotNull();
			assertThat(paths.keySet().stream().map(Object::toString)).contains("/ojs/v1/jobs")
				.doesNotContain("/health", "/ojs/v1/workers/fetch");
		});
	}

	@Test
	void operationsHaveNamesOfTheirOwnAndDeclareTheirVariables() {
		List<String> ids = new ArrayList<>();
		operations((at, operation) -> {
			ids.add(String.valueOf(operation.get("operationId")));
			assertThat(operation).as(at).containsKeys("summary", "security", "responses");
			assertThat(((Map<?, ?>) operation.get("responses")).keySet().stream().map(Object::toString)).as(at)
				.allMatch((status) -> status.matches("[1-5]\\d\\d"))
				.anyMatch((status) -> status.startsWith("2"));
			List<String> declared = new ArrayList<>();
			for (Object parameter : (List<?>) operation.getOrDefault("parameters", List.of())) {
				Map<String, Object> resolved = resolved(parameter);
				assertThat(resolved).as(at).containsKeys("name", "in", "schema");
				if ("path".equals(resolved.get("in"))) {
					assertThat(resolved).as(at).containsEntry("required", true);
					declared.add((String) resolved.get("name"));
				}
			}
			assertThat(declared).as(at)
				.containsExactlyElementsOf(VARIABLE.matcher(at).results().map((result) -> result.group(1)).toList());
		});
		assertThat(ids).doesNotHaveDuplicates();
	}

	@Test
	void everythingThatIsReferredToIsThere() {
		assertThat(this.description).containsOnlyKeys("openapi", "info", "servers", "tags", "paths", "components");
		assertThat(this.description.get("openapi")).isEqualTo("3.1.0");
		assertThat(map(this.description.get("info"))).containsKeys("title", "version");
		walk("", this.description, (at, object) -> {
			if (object.containsKey("$ref")) {
				assertThat(resolved(object)).as(at).isNotEmpty();
			}
			if (object.get("type") instanceof String type && !at.contains("/examples/") && !at.endsWith("/properties")
					&& !at.startsWith("/components/securitySchemes")) {
				assertThat(TYPES).as(at).contains(type);
			}
			if (object.get("required") instanceof List<?> required) {
				assertThat(map(object.get("properties")).keySet()).as(at)
					.containsAll(required.stream().map(Object::toString).toList());
			}
			if ("array".equals(object.get("type"))) {
				assertThat(object).as(at).containsKey("items");
			}
		});
	}

	@Test
	void errorIsDescribedAsItIs() {
		HttpApi.open((api) -> {
			Map<?, ?> error = (Map<?, ?>) api.get("/ojs/v1/events?limit=0").at("error");
			assertThat(error).isNotNull();
			Map<String, Object> described = map(map(schema("Error").get("properties")).get("error"));
			assertThat(map(described.get("properties")).keySet()).containsAll(strings(error.keySet()));
			assertThat(strings(error.keySet())).containsAll(strings((List<?>) described.get("required")));
		});
	}

	@Test
	void fieldsOfJobsAreThoseThatAreRead() throws IOException {
		Set<String> options = map(schema("JobOptions").get("properties")).keySet();
		Set<String> fields = map(schema("JobRequest").get("properties")).keySet();
		assertThat(fields).containsAll(options);
		for (String word : words()) {
			assertThat(fields.contains(word)).as("'%s' is described", word).isEqualTo(isRead(word, false));
			assertThat(options.contains(word)).as("'options.%s' is described", word).isEqualTo(isRead(word, true));
		}
		assertThat(words()).containsAll(fields);
	}

	/** No field takes a number like this one. */
	private static boolean isRead(String word, boolean option) {
		Map<String, @Nullable Object> job = new LinkedHashMap<>(Map.of("type", "a", "args", List.of()));
		job.put(option ? "options" : word, option ? Map.of(word, 1.5) : 1.5);
		try {
			JobRequestJson.read(job, Instant.EPOCH);
			return false;
		}
		catch (InvalidJobException ex) {
			return ex.field().equals(option ? "options." + word : word);
		}
	}

	/** All that looks like a field among the texts of the class that reads them. */
	private static Set<String> words() throws IOException {
		Set<String> words = new TreeSet<>();
		String name = JobRequestJson.class.getSimpleName() + ".class";
		try (InputStream resource = JobRequestJson.class.getResourceAsStream(name)) {
			DataInputStream bytes = new DataInputStream(resource);
			bytes.skipNBytes(8);
			int count = bytes.readUnsignedShort();
			for (int i = 1; i < count; i++) {
				int tag = bytes.readUnsignedByte();
				switch (tag) {
					case 1 -> words.add(bytes.readUTF());
					case 3, 4, 9, 10, 11, 12, 17, 18 -> bytes.skipNBytes(4);
					case 5, 6 -> {
						bytes.skipNBytes(8);
						i++;
					}
					case 15 -> bytes.skipNBytes(3);
					default -> bytes.skipNBytes(2);
				}
			}
		}
		words.removeIf((word) -> !word.matches("[a-z][a-z_]*"));
		return words;
	}

	private static String access(Map<String, Object> operation) {
		List<?> security = (List<?>) operation.get("security");
		if (security.isEmpty()) {
			return Access.PUBLIC.name().toLowerCase();
		}
		assertThat(security).hasSize(1);
		return Stream.of(map(security.get(0)).get("bearer"))
			.map((scopes) -> String.valueOf(((List<?>) scopes).get(0)))
			.findFirst()
			.orElseThrow()
			.replace("ojs:", "");
	}

	private void operations(BiConsumer<String, Map<String, Object>> look) {
		map(this.description.get("paths")).forEach((path, item) -> map(item)
			.forEach((method, operation) -> look.accept(method + " " + path, map(operation))));
	}

	private Map<String, Object> schema(String name) {
		return resolved(Map.of("$ref", "#/components/schemas/" + name));
	}

	private Map<String, Object> resolved(Object object) {
		if (!(map(object).get("$ref") instanceof String reference)) {
			return map(object);
		}
		assertThat(reference).startsWith("#/");
		Object found = this.description;
		for (String step : reference.substring(2).split("/")) {
			found = map(found).get(step);
			assertThat(found).as(reference).isNotNull();
		}
		return map(found);
	}

	private static void walk(String at, @Nullable Object value, BiConsumer<String, Map<String, Object>> look) {
		if (value instanceof Map<?, ?> object) {
			look.accept(at, map(object));
			object.forEach((name, child) -> walk(at + "/" + name, child, look));
		}
		else if (value instanceof List<?> list) {
			list.forEach((child) -> walk(at, child, look));
		}
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(@Nullable Object object) {
		assertThat(object).isInstanceOf(Map.class);
		return (Map<String, Object>) object;
	}

	private static List<String> strings(Iterable<?> values) {
		List<String> strings = new ArrayList<>();
		values.forEach((value) -> strings.add(String.valueOf(value)));
		return strings;
	}

	private static Map<String, @Nullable Object> description() {
		try (InputStream resource = HttpOpenApiTests.class.getResourceAsStream(OpenApiEndpoints.DESCRIPTION)) {
			return new JsonObjects().read(resource.readAllBytes());
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

}
