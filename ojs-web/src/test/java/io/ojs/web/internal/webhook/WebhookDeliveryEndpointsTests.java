package io.ojs.web.internal.webhook;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.ojs.internal.admin.AdminStore;
import io.ojs.internal.admin.JobFilter;
import io.ojs.job.JobState;
import io.ojs.web.TenantAccess;
import io.ojs.web.internal.Doubles;
import io.ojs.web.internal.HttpRequests;
import io.ojs.webhook.internal.WebhookDelivery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Deliveries are only jobs that deliver events, of the tenant that asks.
 */
class WebhookDeliveryEndpointsTests {

	private static final String DELIVERIES = "/ojs/v1/webhooks/deliveries";

	private JobState state = JobState.COMPLETED;

	private final List<JobFilter> searched = new ArrayList<>();

	private final AdminStore jobs = Doubles.of(AdminStore.class, (method, arguments) -> {
		if (method.equals("count")) {
			return 1L;
		}
		this.searched.add((JobFilter) arguments[0]);
		return List.of(Doubles.job(this.state, "acme"));
	});

	private final HttpRequests requests = HttpRequests.forTenants(new WebhookDeliveryEndpoints(this.jobs, null));

	@Test
	void onlyDeliveriesOfTheTenantAreSearched() {
		assertThat(get(DELIVERIES).getStatus()).isEqualTo(200);
		assertThat(get(DELIVERIES + "/del_" + Doubles.JOB_ID).getStatus()).isEqualTo(200);
		assertThat(this.searched).hasSize(2).allSatisfy((filter) -> {
			assertThat(filter.type()).isEqualTo(WebhookDelivery.TYPE);
			assertThat(filter.tenant()).isEqualTo("acme");
		});
		assertThat(this.searched.get(1).ids()).containsExactly(Doubles.JOB_ID);
	}

	@ParameterizedTest
	@ValueSource(strings = { Doubles.JOB_ID, "del_", "del_1", "sub_" + Doubles.JOB_ID, "DEL_" + Doubles.JOB_ID })
	void invalidIdIsNotFound(String id) {
		assertThat(get(DELIVERIES + "/" + id).getStatus()).isEqualTo(404);
		assertThat(this.requests.send("POST", DELIVERIES + "/" + id + "/retry", null, Map.of()).getStatus())
			.isEqualTo(404);
		assertThat(this.searched).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "AVAILABLE, pending", "SCHEDULED, pending", "PENDING, pending", "ACTIVE, pending",
			"RETRYABLE, retrying", "COMPLETED, delivered", "DISCARDED, dead", "CANCELLED, cancelled" })
	void statusFollowsFromTheState(JobState state, String status) {
		this.state = state;
		Map<?, ?> delivery = (Map<?, ?>) Objects
			.requireNonNull(HttpRequests.body(get(DELIVERIES + "/del_" + Doubles.JOB_ID)).get("delivery"));
		assertThat(delivery.get("status")).isEqualTo(status);
		this.searched.clear();
		this.requests.get(DELIVERIES, Map.of("status", status));
		assertThat(this.searched).singleElement().satisfies((filter) -> assertThat(filter.states()).contains(state));
	}

	@Test
	void unknownStatusIsRefused() {
		MockHttpServletResponse response = this.requests.get(DELIVERIES, Map.of("status", "completed"));
		assertThat(response.getStatus()).isEqualTo(400);
		assertThat(HttpRequests.details(response).get("field")).isEqualTo("status");
		assertThat(HttpRequests.text(response)).contains("cancelled, dead, delivered, pending, retrying");
		assertThat(this.searched).isEmpty();
		this.requests.get(DELIVERIES, Map.of("status", "retrying"));
		assertThat(this.searched).extracting(JobFilter::states).containsExactly(Set.of(JobState.RETRYABLE));
	}

	private MockHttpServletResponse get(String path) {
		return this.requests.send("GET", path, null, Map.of(TenantAccess.HEADER, "acme"));
	}

}
