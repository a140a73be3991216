package io.ojs.sample;

import java.util.Set;

import io.ojs.test.internal.database.PostgresDatabase;
import io.ojs.test.internal.database.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The gallery with its jobs in PostgreSQL.
 */
@ActiveProfiles("postgres")
@DirtiesContext
@Tag("broker")
class PostgresTests extends GalleryTest {

	@Autowired
	private JdbcClient jdbc;

	@DynamicPropertySource
	static void usePostgres(DynamicPropertyRegistry registry) {
		PostgresServer server = PostgresServer.shared();
		PostgresDatabase database = server.newDatabase();
		registry.add("PGHOST", server::host);
		registry.add("PGPORT", server::port);
		registry.add("PGDATABASE", database::name);
		registry.add("PGUSER", server::username);
		registry.add("PGPASSWORD", server::password);
	}

	@Test
	void photoIsWorked() throws Exception {
		String id = client().uploadShipped("evening-ridges.jpg");
		await().until(() -> client().renditions(id).size() == 5);
		await().until(() -> client().states(id).equals(Set.of("completed")));
		assertThat(client().renditions(id)).containsExactlyInAnyOrder("thumbnail", "palette", "watermark", "painting",
				"published");
		assertThat(this.jdbc.sql("select version()").query(String.class).single()).startsWith("PostgreSQL");
		assertThat(this.jdbc
			.sql("select count(*) from photo_job p join ojs_job j on j.id = cast(p.job_id as uuid) "
					+ "where p.photo_id = ? and j.state = 'completed'")
			.param(id)
			.query(Integer.class)
			.single()).isEqualTo(5);
	}

	@Test
	void historyTellsEachAttempt() throws Exception {
		String id = client().uploadShipped("broken.jpg");
		await().until(() -> client().states(id).equals(Set.of("discarded")));
		JsonNode thumbnail = client().history(id)
			.valueStream()
			.filter((job) -> job.path("type").asString().equals("photo.thumbnail"))
			.findFirst()
			.orElseThrow();
		assertThat(thumbnail.path("attempt").asInt()).isEqualTo(3);
		assertThat(thumbnail.path("failures").valueStream().map((failure) -> failure.path("message").asString()))
			.hasSize(3)
			.allSatisfy((message) -> assertThat(message).startsWith("broken.jpg ends too early."));
		assertThat(thumbnail.path("completedAt").asString()).isNotEmpty();
	}

}
