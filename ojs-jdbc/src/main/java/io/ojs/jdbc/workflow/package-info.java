/**
 * Workflows in a database, and the ends of their jobs.
 */
@NullMarked
package io.ojs.jdbc.workflow;

import org.jspecify.annotations.NullMarked;
