package io.ojs.workflow.internal;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.ojs.internal.json.JsonObjects;
import io.ojs.internal.json.JsonValues;
import io.ojs.job.JobRequest;
import io.ojs.workflow.Chain;
import io.ojs.workflow.Group;
import io.ojs.workflow.InvalidWorkflowException;
import io.ojs.workflow.JobStep;
import io.ojs.workflow.Workflow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Workflows as others send them.
 */
class WorkflowJsonTests {

	private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

	private final JsonValues values = new JsonValues(JsonMapper.shared());

	@Test
	void isReadAsItIsWritten() {
		Workflow workflow = Workflow.chain("publish")
			.then(JobRequest.of("photo.check", "a.jpg", 7).queue("photos").priority(3))
			.then(Workflow.group("sizes")
				.add(JobRequest.of("photo.thumbnail", Map.of("width", 100)))
				.add(Workflow.batch("marks")
					.add(JobRequest.of("photo.watermark").retry((retry) -> retry.maxAttempts(2)))
					.onComplete(JobRequest.of("photo.done"))
					.onFailure(JobRequest.of("photo.alert").queue("alerts"))))
			.meta("tenant_id", "acme");
		Map<String, Object> json = WorkflowJson.write(workflow, this.values);
		assertThat(json).containsKeys("steps", "meta").doesNotContainKeys("jobs", "callbacks");
		assertThat(WorkflowJson.read(json, NOW, UnaryOperator.identity())).isEqualTo(workflow);
		assertThat(
				WorkflowJson.read(new JsonObjects().read(new JsonObjects().write(json)), NOW, UnaryOperator.identity()))
			.isEqualTo(workflow);
	}

	@Test
	void whatTheServerSetsIsNotTakenFromOthers() {
		Workflow workflow = read("{'type':'chain','id':'wf_1','state':'failed','metadata':{'job_count':9},"
				+ "'steps':[{'type':'group','id':'wf_2','name':'inner','jobs':[{'type':'a.b','args':[]}]}]}");
		assertThat(workflow).isEqualTo(new Chain(null,
				List.of(new Group("inner", List.of(new JobStep(JobRequest.of("a.b"))), Map.of())), Map.of()));
	}

	@Test
	void jobMayBeCalledLikeAWorkflow() {
		assertThat(read("{'type':'group','jobs':[{'type':'batch','args':[]}]}").steps())
			.containsExactly(new JobStep(JobRequest.of("batch")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', value = { "{'jobs':[]}|type", "{'type':'saga','steps':[]}|type",
			"{'type':7}|type", "{'type':'chain','jobs':[{'type':'a','args':[]}]}|steps",
			"{'type':'chain','steps':[{'type':'group','jobs':[{'type':'A','args':[]}]}]}|steps[0].jobs[0].type",
			"{'type':'chain','name':7,'steps':[{'type':'a','args':[]}]}|name",
			"{'type':'chain','steps':[{'type':'a','args':[]}],'callbacks':{}}|callbacks",
			"{'type':'batch','jobs':[{'type':'a','args':[]}],'callbacks':{'on_success':[]}}|callbacks.on_success" })
	void whatBreaksARuleIsRefusedWithItsPlace(String json, String field) {
		assertThatExceptionOfType(InvalidWorkflowException.class).isThrownBy(() -> read(json))
			.satisfies((ex) -> assertThat(ex.field()).isEqualTo(field))
			.withMessageContaining("'" + field + "'");
	}

	@Test
	void nothingIsSoDeepThatItCannotBeRefused() {
		String json = "{'type':'chain','steps':[".repeat(100) + "{'type':'a','args':[]}" + "]}".repeat(100);
		assertThatExceptionOfType(InvalidWorkflowException.class).isThrownBy(() -> read(json))
			.withMessageContaining("64 levels");
	}

	private static Workflow read(String json) {
		return WorkflowJson.read(new JsonObjects().read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)), NOW,
				UnaryOperator.identity());
	}

}
