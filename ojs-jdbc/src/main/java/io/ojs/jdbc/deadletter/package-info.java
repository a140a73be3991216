/**
 * Dead letters in a database.
 */
@NullMarked
package io.ojs.jdbc.deadletter;

import org.jspecify.annotations.NullMarked;
