/**
 * Numbers for operators, in a database.
 */
@NullMarked
package io.ojs.jdbc.internal.stats;

import org.jspecify.annotations.NullMarked;
