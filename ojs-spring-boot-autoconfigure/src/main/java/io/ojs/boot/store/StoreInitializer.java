package io.ojs.boot.store;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.ojs.boot.StoreProperties;
import io.ojs.jdbc.internal.schema.StoreSchema;
import io.ojs.store.StoreException;
import io.ojs.store.UnsupportedDatabaseException;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.util.ClassUtils;

/**
 * Migrates the tables of the job store when the application starts, if the properties ask
 * for it. Otherwise it stops an application whose tables lack migrations. It also stops
 * an application whose database cannot keep jobs.
 */
final class StoreInitializer implements InitializingBean {

	/**
	 * Without Spring Boot's support for databases, Spring Boot has created no embedded
	 * database.
	 */
	private static final boolean EMBEDDED_DATABASES = ClassUtils
		.isPresent("org.springframework.boot.jdbc.EmbeddedDatabaseConnection", StoreInitializer.class.getClassLoader());

	private final DataSource dataSource;

	private final StoreProperties.SchemaInitialization mode;

	StoreInitializer(DataSource dataSource, StoreProperties.SchemaInitialization mode) {
		this.dataSource = dataSource;
		this.mode = mode;
	}

	@Override
	public void afterPropertiesSet() {
		StoreSchema schema = new StoreSchema(this.dataSource);
		boolean wanted = isWanted();
		List<Integer> unknown = wanted ? schema.unknown() : unlessAway(schema::unknown);
		if (!unknown.isEmpty()) {
			throw new StoreException(("The tables of the job store have the migrations %s, and this version of the "
					+ "library knows %d. Start a version of the application that is as new as its tables.")
				.formatted(unknown, StoreSchema.MIGRATIONS.size()), null);
		}
		if (wanted) {
			schema.migrate();
			return;
		}
		List<String> missing = unlessAway(schema::missing);
		if (!missing.isEmpty()) {
			throw new StoreException(
					("The tables of the job store lack the migrations %s. Run these scripts, which are on the class path, "
							+ "or set ojs.store.initialize-schema=always (it is %s).")
						.formatted(String.join(", ", missing), this.mode.name().toLowerCase(Locale.ROOT)),
					null);
		}
	}

	private static <T> List<T> unlessAway(Supplier<List<T>> asked) {
		try {
			return asked.get();
		}
		catch (UnsupportedDatabaseException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// A pool can throw any exception. The application may start before its
			// database, and the first call of the store reports what is wrong.
			return List.of();
		}
	}

	private boolean isWanted() {
		return switch (this.mode) {
			case ALWAYS -> true;
			case NEVER -> false;
			case EMBEDDED -> EMBEDDED_DATABASES && EmbeddedDatabaseConnection.isEmbedded(this.dataSource);
		};
	}

}
