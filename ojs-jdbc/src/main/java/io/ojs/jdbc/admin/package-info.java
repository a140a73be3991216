/**
 * What operators ask, answered by a database.
 */
@NullMarked
package io.ojs.jdbc.admin;

import org.jspecify.annotations.NullMarked;
