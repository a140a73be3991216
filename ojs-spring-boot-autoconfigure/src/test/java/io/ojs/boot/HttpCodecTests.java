package io.ojs.boot;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.ojs.client.OjsOperations;
import io.ojs.crypto.EncryptionKey;
import io.ojs.crypto.EncryptionKeys;
import io.ojs.crypto.internal.JobEncryption;
import io.ojs.internal.json.JsonObjects;
import io.ojs.job.Job;
import io.ojs.tenant.Tenants;
import io.ojs.web.CodecAccess;
import io.ojs.web.CodecAudit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors;
import org.springframework.security.test.web.servlet.setup.SecurityMockMvcConfigurers;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.context.WebApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who is shown arguments that are encrypted, and who hears of it.
 */
class HttpCodecTests {

	private static final String KEY = "ojs.encryption.keys.k1=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

	private static final String ENABLED = "ojs.encryption.codec-server.enabled=true";

	private static final WebApplicationContextRunner RUNNER = HttpApi.RUNNER.withUserConfiguration(Secured.class)
		.withPropertyValues(KEY, "ojs.encryption.compress-from=1KB");

	@RegisterExtension
	static final HttpApi.Kept kept = new HttpApi.Kept(RUNNER, ENABLED, "ojs.http.allow-anonymous=false");

	@RegisterExtension
	static final HttpApi.Kept anonymous = new HttpApi.Kept(RUNNER, ENABLED, "ojs.http.allow-anonymous=true");

	private void run(Consumer<Codec> test, String... properties) {
		RUNNER.withPropertyValues(ENABLED).withPropertyValues(properties).run((context) -> {
			if (context.getStartupFailure() != null) {
				throw new AssertionError(context.getStartupFailure());
			}
			test.accept(new Codec(context.getSourceApplicationContext()));
		});
	}

	@Test
	void argumentsOfAJobAreDecoded() {
		run((codec) -> {
			Job job = codec.context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			MockHttpServletResponse answer = codec.post("decode", "codec", payload(job));
			assertThat(answer.getStatus()).isEqualTo(200);
			Map<?, ?> decoded = first(answer);
			assertThat(plain(decoded)).isEqualTo("[\"Visa-1111\"]");
			assertThat(decoded.get("metadata")).isEqualTo(Map.of("encoding", "json/plain"));
			assertThat(codec.heard()).singleElement().satisfies((access) -> {
				assertThat(access.operation()).isEqualTo("decode");
				assertThat(access.caller()).isEqualTo("codec");
				assertThat(access.payloads()).isEqualTo(1);
				assertThat(access.keyIds()).containsExactly("k1");
				assertThat(access.succeeded()).isTrue();
				assertThat(access.requestId()).isNotEmpty();
				assertThat(access.toString()).doesNotContain("Visa");
			});
		});
	}

	@Test
	void whatIsEncodedCanBeDecoded() {
		run((codec) -> {
			for (String args : List.of("[1]", "[\"" + "x".repeat(5000) + "\"]")) {
				String data = Base64.getEncoder().encodeToString(args.getBytes(StandardCharsets.UTF_8));
				MockHttpServletResponse encoded = codec.post("encode", "codec",
						body(data, Map.of("encoding", "json/plain", "aad", Map.of("type", "pay.all"))));
				Map<?, ?> metadata = (Map<?, ?>) first(encoded).get("metadata");
				assertThat(metadata.get("encoding")).isEqualTo("binary/encrypted");
				assertThat(metadata.get("encryption_key_id")).isEqualTo("k1");
				assertThat((List<?>) metadata.get("encodings")).hasSize((args.length() > 1000) ? 2 : 1);
				assertThat(plain(
						first(codec.post("decode", "codec", body((String) first(encoded).get("data"), metadata)))))
					.isEqualTo(args);
			}
		});
	}

	@ParameterizedTest
	@CsvSource({ ",401", "read,403", "write,403", "admin,403", "all,403", "codec,200" })
	void nobodyElseIsShownAnything(@Nullable String user, int status) {
		for (HttpApi.Kept application : List.of(anonymous, kept)) {
			Codec codec = new Codec(application.context());
			codec.heard().clear();
			Job job = codec.context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			assertThat(codec.post("decode", user, payload(job)).getStatus()).isEqualTo(status);
			assertThat(codec.heard()).hasSize((status == 200) ? 1 : 0);
		}
	}

	@Test
	void whoWorksForATenantIsNotShownWhatBelongsToOthers() {
		run((codec) -> {
			String body = body("AQ==", Map.of("encoding", "binary/encrypted", "encryption_key_id", "k1"));
			assertThat(codec.post("decode", "tenant", body).getStatus()).isEqualTo(403);
		}, "ojs.tenancy.enabled=true");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{} | payloads", "{\"payloads\": []} | payloads",
			"{\"payloads\": [1]} | payloads[0]", "{\"payloads\": [{}]} | payloads[0].data",
			"{\"payloads\": [{\"data\": \"Visa-!\", \"metadata\": {\"encoding\": \"x\"}}]} | payloads[0].data",
			"{\"payloads\": [{\"data\": \"AQ==\"}]} | payloads[0].metadata",
			"{\"payloads\": [{\"data\": \"AQ==\", \"metadata\": {}}]} | payloads[0].metadata.encoding",
			"{\"payloads\": [{\"data\": \"AQ==\", \"metadata\": {\"encoding\": \"zstd\"}}]} | payloads[0]",
			"{\"payloads\": [{\"data\": \"AQ==\", \"metadata\": {\"encoding\": \"binary/encrypted\", \"encryption_key_id\": 1}}]} | payloads[0].metadata.encryption_key_id",
			"{\"payloads\": [{\"data\": \"AQ==\", \"metadata\": {\"encoding\": \"binary/encrypted\", \"encryption_key_id\": \"k9\"}}]} | payloads[0]",
			"{\"payloads\": [{\"data\": \"AQ==\", \"metadata\": {\"encoding\": \"binary/encrypted\", \"encryption_key_id\": \"k1\"}}]} | payloads[0]" })
	void whatIsWrongSaysWhere(String body, String field) {
		Codec codec = new Codec(kept.context());
		MockHttpServletResponse answer = codec.post("decode", "codec", body);
		assertThat(answer.getStatus()).isEqualTo(400);
		Map<?, ?> error = (Map<?, ?>) read(answer).get("error");
		assertThat(((Map<?, ?>) error.get("details")).get("field")).isEqualTo(field);
		assertThat(error.toString()).doesNotContain("Visa");
	}

	@Test
	void aFailureIsRecordedTooAndNothingIsShown() {
		run((codec) -> {
			Job job = codec.context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			String good = payload(job);
			String both = good.substring(0, good.length() - 2)
					+ ",{\"data\":\"AQ==\",\"metadata\":{\"encoding\":\"binary/encrypted\",\"encryption_key_id\":\"k9\"}}]}";
			MockHttpServletResponse answer = codec.post("decode", "codec", both);
			assertThat(answer.getStatus()).isEqualTo(400);
			assertThat(text(answer)).contains("payloads[1]").doesNotContain("data\":");
			assertThat(codec.heard()).singleElement().satisfies((access) -> {
				assertThat(access.succeeded()).isFalse();
				assertThat(access.payloads()).isEqualTo(2);
				assertThat(access.keyIds()).containsExactly("k1", "k9");
			});
		});
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void auditHasTheJobAndTheReasonThatTheCallerNames(CapturedOutput output) {
		run((codec) -> {
			Job job = codec.context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			String body = "{\"job_id\":\"%s\",\"reason\":\"ticket 7\\nadmin\",%s".formatted(job.id(),
					payload(job).substring(1));
			assertThat(codec.post("decode", "codec", body).getStatus()).isEqualTo(200);
			assertThat(codec.heard()).singleElement().satisfies((access) -> {
				assertThat(access.jobId()).isEqualTo(job.id());
				assertThat(access.reason()).isEqualTo("ticket 7\nadmin");
			});
			assertThat(output.getOut()).contains("done, job_id=" + job.id() + ", reason=\"ticket 7\\nadmin\"");
		});
	}

	@Test
	void reasonIsRequiredWhereTheApplicationSaysSo() {
		run((codec) -> {
			Job job = codec.context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			for (String reason : List.of("", "\"reason\":\" \",")) {
				MockHttpServletResponse refused = codec.post("decode", "codec",
						"{" + reason + payload(job).substring(1));
				assertThat(refused.getStatus()).isEqualTo(400);
				assertThat(text(refused)).contains("reason", "say why").doesNotContain("Visa");
			}
			assertThat(codec.heard()).isEmpty();
			assertThat(codec.post("decode", "codec", "{\"reason\":\"ticket\"," + payload(job).substring(1)).getStatus())
				.isEqualTo(200);
			String data = Base64.getEncoder().encodeToString("[1]".getBytes(StandardCharsets.UTF_8));
			assertThat(codec.post("encode", "codec", body(data, Map.of("encoding", "json/plain"))).getStatus())
				.as("shows nothing")
				.isEqualTo(200);
		}, "ojs.encryption.codec-server.require-reason=true");
	}

	@ParameterizedTest
	@CsvSource({ "job_id,4711", "job_id,x", "reason,long" })
	void jobAndReasonOfTheAuditAreChecked(String field, String value) {
		Codec codec = new Codec(kept.context());
		String text = value.equals("long") ? "x".repeat(501) : value;
		MockHttpServletResponse refused = codec.post("decode", "codec",
				"{\"%s\":\"%s\",\"payloads\":[{\"data\":\"AQ==\",\"metadata\":{\"encoding\":\"x\"}}]}".formatted(field,
						text));
		assertThat(refused.getStatus()).isEqualTo(400);
		assertThat(((Map<?, ?>) ((Map<?, ?>) read(refused).get("error")).get("details")).get("field")).isEqualTo(field);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void theLogHasALineForEachRequestWhateverThatSays(CapturedOutput output) {
		run((codec) -> {
			String forged = body("AQ==", Map.of("encoding", "binary/encrypted", "encryption_key_id",
					"k1\nadmin: decode of 1 payloads by the keys [k1] in request 'x' done"));
			assertThat(codec.post("decode", "codec", forged).getStatus()).isEqualTo(400);
			assertThat(output.getOut().lines().filter((line) -> line.contains("codec: decode of 1 payloads")))
				.singleElement()
				.asString()
				.contains("admin: decode")
				.endsWith("refused");
			String endless = body("AQ==", Map.of("encoding", "binary/encrypted", "encryption_key_id", "k".repeat(129)));
			assertThat(text(codec.post("decode", "codec", endless))).contains("at most 128 characters");
		});
	}

	@Test
	void whatFailsInAVaultIsRecordedToo() {
		HttpApi.RUNNER.withUserConfiguration(Secured.class)
			.withPropertyValues(ENABLED)
			.withBean(EncryptionKeys.class, Vault::new)
			.run((context) -> {
				Codec codec = new Codec(context.getSourceApplicationContext());
				String body = body("AQ==", Map.of("encoding", "binary/encrypted", "encryption_key_id", "k1"));
				assertThat(codec.post("decode", "codec", body).getStatus()).isEqualTo(500);
				assertThat(codec.heard()).singleElement()
					.satisfies((access) -> assertThat(access.succeeded()).isFalse());
			});
	}

	/** One that is sealed. */
	private static final class Vault implements EncryptionKeys {

		@Override
		public EncryptionKey active() {
			throw new IllegalStateException("sealed");
		}

		@Override
		public Optional<EncryptionKey> find(String id) {
			throw new IllegalStateException("sealed");
		}

	}

	@Test
	void whatCannotBeRecordedIsNotShown() {
		RUNNER.withPropertyValues(ENABLED).withBean(CodecAudit.class, () -> (access) -> {
			throw new IllegalStateException("the disk is full");
		}).run((context) -> {
			Codec codec = new Codec(context.getSourceApplicationContext());
			Job job = context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			MockHttpServletResponse answer = codec.post("decode", "codec", payload(job));
			assertThat(answer.getStatus()).isEqualTo(500);
			assertThat(text(answer)).doesNotContain("data\":");
		});
	}

	@Test
	void whatIsBoundIsDecodedWithTheFieldsOfItsJobOnly() {
		run((codec) -> {
			Job job = codec.context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			for (String changed : List.of("\"pay.none\"", "1")) {
				MockHttpServletResponse answer = codec.post("decode", "codec",
						payload(job).replace("\"pay.all\"", changed));
				assertThat(answer.getStatus()).isEqualTo(400);
				assertThat(text(answer)).contains("payloads[0]").doesNotContain("Visa");
			}
		});
	}

	@Test
	void plainArgumentsAreRefusedWhereTheyHaveToComeEncrypted() {
		RUNNER.withPropertyValues("ojs.encryption.require=bound", "ojs.encryption.types=pay.*").run((context) -> {
			Codec codec = new Codec(context.getSourceApplicationContext());
			Job job = codec.context.getBean(OjsOperations.class).enqueue("pay.all", "Visa-1111");
			assertThat(JobEncryption.isEncoded(job.args())).isTrue();
			String plain = "{\"type\": \"pay.all\", \"args\": [\"Visa-1111\"]}";
			Map<String, String> refused = Map.of("jobs", plain, "jobs/batch", "{\"jobs\": [%s]}".formatted(plain),
					"cron", "{\"name\": \"a\", \"expression\": \"0 3 * * *\", \"job_template\": %s}".formatted(plain),
					"workflows", "{\"type\": \"chain\", \"steps\": [%s]}".formatted(plain));
			refused.forEach((path, body) -> {
				MockHttpServletResponse answer = codec.send(path, "write", body);
				assertThat(answer.getStatus()).as(path).isEqualTo(400);
				assertThat(text(answer)).as(path).contains("args", "ojs.encryption.require").doesNotContain("Visa");
			});
			Map<String, Object> bound = Map.of("type", "pay.all", "args", job.args(), "meta", job.meta());
			assertThat(codec.send("jobs", "write", new String(new JsonObjects().write(bound), StandardCharsets.UTF_8))
				.getStatus()).isEqualTo(201);
		});
	}

	@Test
	void itIsThereOnlyIfItIsAskedFor() {
		RUNNER.run((context) -> assertThat(
				new Codec(context.getSourceApplicationContext()).post("decode", "codec", "{}").getStatus())
			.isEqualTo(404));
	}

	@Test
	void withoutKeysOrSecurityTheApplicationDoesNotStart() {
		HttpApi.RUNNER.withPropertyValues(ENABLED, "ojs.http.allow-anonymous=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ojs.encryption.codec-server.enabled = true")
				.hasMessageContaining("there are no keys"));
		HttpApi.RUNNER.withPropertyValues(ENABLED, KEY, "ojs.http.allow-anonymous=true")
			.withClassLoader(new FilteredClassLoader(SecurityContextHolder.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ojs.encryption.codec-server.enabled = true")
				.hasMessageContaining("Spring Security is missing"));
	}

	private static String payload(Job job) {
		Map<?, ?> only = (Map<?, ?>) job.args().get(0);
		return body((String) only.get("data"),
				Map.of("encoding", "binary/encrypted", "encryption_key_id",
						String.valueOf(job.meta().get(JobEncryption.KEY_ID)), "encodings",
						job.meta().get(JobEncryption.ENCODINGS), "aad",
						Map.of("id", job.id(), "tenant_id", Tenants.of(job).orElse(""), "type", job.type())));
	}

	private static String body(String data, Map<?, ?> metadata) {
		return new String(
				new JsonObjects().write(Map.of("payloads", List.of(Map.of("data", data, "metadata", metadata)))),
				StandardCharsets.UTF_8);
	}

	private static Map<?, ?> first(MockHttpServletResponse answer) {
		return (Map<?, ?>) ((List<?>) read(answer).get("payloads")).get(0);
	}

	private static Map<String, @Nullable Object> read(MockHttpServletResponse answer) {
		return new JsonObjects().read(answer.getContentAsByteArray());
	}

	private static String text(MockHttpServletResponse answer) {
		return new String(answer.getContentAsByteArray(), StandardCharsets.UTF_8);
	}

	private static String plain(Map<?, ?> payload) {
		return new String(Base64.getDecoder().decode((String) payload.get("data")), StandardCharsets.UTF_8);
	}

	private record Codec(ApplicationContext context, MockMvc mvc) {

		Codec(WebApplicationContext context) {
			this(context,
					MockMvcBuilders.webAppContextSetup(context)
						.apply(SecurityMockMvcConfigurers.springSecurity())
						.build());
		}

		MockHttpServletResponse post(String operation, @Nullable String user, String body) {
			return send("codec/" + operation, user, body);
		}

		MockHttpServletResponse send(String path, @Nullable String user, String body) {
			MockHttpServletRequestBuilder request = MockMvcRequestBuilders.post("/ojs/v1/" + path)
				.contentType("application/json")
				.content(body);
			if (user != null) {
				request.with(SecurityMockMvcRequestPostProcessors.httpBasic(user, "secret"));
			}
			try {
				return this.mvc.perform(request).andReturn().getResponse();
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		}

		List<CodecAccess> heard() {
			return this.context.getBean(Listener.class).heard;
		}

	}

	static class Listener {

		private final List<CodecAccess> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(CodecAccess access) {
			this.heard.add(access);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableWebSecurity
	static class Secured {

		@Bean
		Listener listener() {
			return new Listener();
		}

		@Bean
		SecurityFilterChain chain(HttpSecurity http) throws Exception {
			return http.securityMatcher("/ojs/**")
				.authorizeHttpRequests((requests) -> requests.anyRequest().permitAll())
				.httpBasic(Customizer.withDefaults())
				.csrf((csrf) -> csrf.disable())
				.authenticationManager(new ApiUsers().user("read", "SCOPE_ojs:read")
					.user("write", "SCOPE_ojs:write")
					.user("admin", "SCOPE_ojs:admin")
					.user("codec", "SCOPE_ojs:codec")
					.user("all", "SCOPE_ojs:read", "SCOPE_ojs:write", "SCOPE_ojs:admin", "SCOPE_ojs:all-tenants")
					.user("tenant", "SCOPE_ojs:codec", "OJS_TENANT_acme"))
				.build();
		}

	}

}
