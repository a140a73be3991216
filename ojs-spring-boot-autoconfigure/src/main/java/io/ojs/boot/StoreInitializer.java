package io.ojs.boot;

import javax.sql.DataSource;

import io.ojs.jdbc.StoreSchema;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.util.ClassUtils;

/**
 * Creates the tables of the job store when the application starts, if that is what was
 * chosen.
 */
final class StoreInitializer implements InitializingBean {

	/** Without Spring Boot's support of databases, nobody made an embedded one. */
	private static final boolean EMBEDDED_DATABASES = ClassUtils
		.isPresent("org.springframework.boot.jdbc.EmbeddedDatabaseConnection", StoreInitializer.class.getClassLoader());

	private final DataSource dataSource;

	private final OjsProperties.SchemaInitialization mode;

	StoreInitializer(DataSource dataSource, OjsProperties.SchemaInitialization mode) {
		this.dataSource = dataSource;
		this.mode = mode;
	}

	@Override
	public void afterPropertiesSet() {
		if (isWanted()) {
			new StoreSchema(this.dataSource).create();
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
