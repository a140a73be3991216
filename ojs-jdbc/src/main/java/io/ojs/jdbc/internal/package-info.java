/**
 * The durable job store on Spring JDBC, for PostgreSQL and H2: the way of a job through
 * the database. Each feature is a subpackage that uses this package; this package depends
 * on none of them. A feature that takes part in state transitions is a
 * {@link io.ojs.jdbc.internal.StoreFeature}.
 *
 * <p>
 * Internal: {@code Column}, {@code DeletedJobs}, {@code Dialect}, {@code EventLog},
 * {@code JobColumn}, {@code JobRows}, {@code ProcessLeases}, {@code SqlTimes} and the
 * methods of {@code StoreDatabase}, which are public for the subpackages only. Not part
 * of the API.
 */
@NullMarked
package io.ojs.jdbc.internal;

import org.jspecify.annotations.NullMarked;
