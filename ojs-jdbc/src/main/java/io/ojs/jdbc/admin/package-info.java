/**
 * Counts, searches and deletions of jobs in a database, for operators.
 */
@NullMarked
package io.ojs.jdbc.admin;

import org.jspecify.annotations.NullMarked;
