/**
 * The dashboard of a whole application in a real browser, with a real broker and a real
 * database.
 */
@NullMarked
package io.ojs.boot.dashboard;

import org.jspecify.annotations.NullMarked;
