/**
 * Logging that escapes values from outside, so that they cannot forge log lines. Not part
 * of the API.
 */
@NullMarked
package io.ojs.internal.log;

import org.jspecify.annotations.NullMarked;
