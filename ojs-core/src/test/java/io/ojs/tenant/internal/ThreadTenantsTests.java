package io.ojs.tenant.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.ojs.job.InvalidJobException;
import io.ojs.job.Job;
import io.ojs.tenant.TenantRequiredException;
import io.ojs.tenant.TenantResolver;
import io.ojs.tenant.Tenants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class ThreadTenantsTests {

	private static final String ID = "019539a4-0000-7000-8000-000000000001";

	private final ThreadTenants tenants = new ThreadTenants(true, true, TenantResolver.NONE);

	@Test
	void jobBelongsToWhomTheThreadWorksFor() {
		this.tenants.run("acme", () -> {
			assertThat(this.tenants.current()).contains("acme");
			assertThat(this.tenants.meta(Map.of("locale", "de")))
				.isEqualTo(Map.of("locale", "de", "tenant_id", "acme"));
			this.tenants.run("other", () -> assertThat(this.tenants.current()).contains("other"));
			assertThat(this.tenants.current()).contains("acme");
		});
		assertThat(this.tenants.current()).isEmpty();
	}

	@Test
	void whatFailsLeavesNothingBehind() {
		assertThatIllegalStateException().isThrownBy(() -> this.tenants.run("acme", () -> {
			throw new IllegalStateException();
		}));
		assertThat(this.tenants.current()).isEmpty();
	}

	@Test
	void handlerWorksForTheTenantOfItsJob() throws Exception {
		Job job = Job.builder(ID, "a", "q").meta(Map.of("tenant_id", "acme")).build();
		assertThat(this.tenants.call(job, this.tenants::current)).contains("acme");
		Job nobodys = Job.builder(ID, "a", "q").build();
		assertThat(this.tenants.call(nobodys, this.tenants::current)).isEmpty();
		assertThat(this.tenants.current()).isEmpty();
		ThreadTenants resolved = new ThreadTenants(true, true, () -> Optional.of("acme"));
		assertThat(resolved.call(nobodys, resolved::current)).isEmpty();
		assertThat(resolved.current()).contains("acme");
	}

	@Test
	void applicationTellsWhomAThreadWorksFor() {
		ThreadTenants resolved = new ThreadTenants(true, true, () -> Optional.of("acme"));
		assertThat(resolved.meta(Map.of())).isEqualTo(Map.of("tenant_id", "acme"));
		assertThat(resolved.<Map<String, ?>>supply("other", () -> resolved.meta(Map.of())))
			.isEqualTo(Map.of("tenant_id", "other"));
		assertThat(resolved.<Optional<String>>supplyForNobody(resolved::current)).isEmpty();
		assertThat(resolved.current()).contains("acme");
		ThreadTenants wrong = new ThreadTenants(true, true, () -> Optional.of("a b"));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> wrong.meta(Map.of()))
			.withMessageContaining("TenantResolver");
	}

	@Test
	void whatIsSaidTwiceMustBeTheSame() {
		Map<String, Object> meta = Map.of("tenant_id", "acme");
		assertThat(this.tenants.meta(meta)).isEqualTo(meta);
		this.tenants.run("acme", () -> assertThat(this.tenants.meta(meta)).isEqualTo(meta));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.tenants.run("other", () -> this.tenants.meta(meta)))
			.withMessageContaining("meta.tenant_id")
			.withMessageContaining("'other'");
	}

	@Test
	void jobOfNobodyIsRefusedWhereEachBelongsToSomebody() {
		assertThatExceptionOfType(TenantRequiredException.class).isThrownBy(() -> this.tenants.meta(Map.of()))
			.withMessageContaining("ojs.tenancy.required=false");
		assertThat(new ThreadTenants(true, false, TenantResolver.NONE).meta(Map.of())).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "-a", "a b", "a/b", "ä", "a\n" })
	void whatCannotBeATenantIsRefused(String id) {
		assertThat(Tenants.isValid(id)).isFalse();
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.tenants.meta(Map.of("tenant_id", id)));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.tenants.run(id, () -> {
		}));
	}

	@Test
	void idsAreAsTheSpecificationHasThem() {
		assertThat(Tenants.isValid("0.a_B:c-9")).isTrue();
		assertThat(Tenants.isValid("a".repeat(128))).isTrue();
		assertThat(Tenants.isValid("a".repeat(129))).isFalse();
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.tenants.meta(Map.of("tenant_id", 7)));
	}

	@Test
	void withoutTenantsMetaIsNobodysBusiness() {
		Map<String, Object> meta = new HashMap<>(Map.of("tenant_id", 7));
		assertThat(ThreadTenants.OFF.meta(meta)).isSameAs(meta);
		ThreadTenants.OFF.run("acme", () -> assertThat(ThreadTenants.OFF.current()).isEmpty());
	}

}
