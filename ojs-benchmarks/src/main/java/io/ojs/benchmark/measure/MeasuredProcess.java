package io.ojs.benchmark.measure;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import tools.jackson.databind.json.JsonMapper;

/** What is started for each measurement, so that none finds the traces of another. */
public final class MeasuredProcess {

	private MeasuredProcess() {
	}

	/**
	 * Does one task, and ends.
	 * @param args the task as JSON, and the file that the measurements go to, a line each
	 * @throws Exception if it cannot be done
	 */
	public static void main(String[] args) throws Exception {
		endWithParent();
		JsonMapper json = new JsonMapper();
		Task task = json.readValue(args[0], Task.class);
		Path results = Path.of(args[1]);
		task.scenario().run(task, (measurement) -> {
			String line = json.writeValueAsString(measurement) + "\n";
			try {
				Files.writeString(results, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			}
			catch (java.io.IOException ex) {
				throw new java.io.UncheckedIOException(ex);
			}
		});
		// Whatever a contender has left running must not hold up the next one.
		System.exit(0);
	}

	/**
	 * It would write into results that are resumed, and take time from their processes.
	 */
	private static void endWithParent() {
		ProcessHandle.current().parent().ifPresent((parent) -> parent.onExit().thenRun(() -> {
			ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
			Runtime.getRuntime().halt(1);
		}));
	}

}
