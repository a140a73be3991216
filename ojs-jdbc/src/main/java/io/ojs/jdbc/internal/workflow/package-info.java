/**
 * Workflows in a database, and the ends of their jobs. Not part of the API.
 */
@NullMarked
package io.ojs.jdbc.internal.workflow;

import org.jspecify.annotations.NullMarked;
