/**
 * Logging that escapes values from outside, so that they cannot forge log lines.
 */
@NullMarked
package io.ojs.log;

import org.jspecify.annotations.NullMarked;
