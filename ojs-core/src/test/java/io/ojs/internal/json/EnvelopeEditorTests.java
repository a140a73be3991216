package io.ojs.internal.json;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.ojs.job.UndecodableJobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Changing one field of an envelope changes nothing else of it.
 */
class EnvelopeEditorTests {

	private final EnvelopeEditor editor = new EnvelopeEditor();

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"b\":1.50,\"a\":1E+400}", "{\"n\":123456789012345678901234567890}",
			"{\"x\":{\"y\":[null,true,\"ü😀\"]},\"timeout\":0}", "{\"s\":\"a/b\"}" })
	void everythingElseIsKept(String json) {
		byte[] body = json.getBytes(StandardCharsets.UTF_8);
		assertThat(new String(this.editor.edit(body, (envelope) -> {
		}), StandardCharsets.UTF_8)).isEqualTo(json);
	}

	@Test
	void nestedObjectsCanBeChanged() {
		byte[] changed = this.editor.edit("{\"meta\":{\"a\":1},\"id\":\"x\"}".getBytes(StandardCharsets.UTF_8),
				(envelope) -> envelope.put("meta", Map.of("b", 2)));
		assertThat(new String(changed, StandardCharsets.UTF_8)).isEqualTo("{\"meta\":{\"b\":2},\"id\":\"x\"}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{", "[]", "1", "null", "{\"a\":1,\"a\":2}", "{} {}" })
	void whatIsNoObjectIsRefused(String json) {
		assertThatExceptionOfType(UndecodableJobException.class)
			.isThrownBy(() -> this.editor.edit(json.getBytes(StandardCharsets.UTF_8), (envelope) -> {
			}));
	}

}
