/**
 * What operators ask, and do to many jobs at once.
 */
@NullMarked
package io.ojs.admin;

import org.jspecify.annotations.NullMarked;
