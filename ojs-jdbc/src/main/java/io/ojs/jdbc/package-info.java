/**
 * The durable job store on Spring JDBC, for PostgreSQL and H2: the way of a job. Each
 * feature is a package below, which uses this one; here nothing names a feature. One that
 * has a part in what becomes of jobs is a {@link io.ojs.jdbc.StoreFeature}.
 *
 * <p>
 * Internal: {@code Column}, {@code DeletedJobs}, {@code Dialect}, {@code EventLog},
 * {@code JobColumn}, {@code JobRows}, {@code ProcessLeases}, {@code SqlTimes} and the
 * methods of {@code StoreDatabase}, which are public for these packages alone.
 */
@NullMarked
package io.ojs.jdbc;

import org.jspecify.annotations.NullMarked;
