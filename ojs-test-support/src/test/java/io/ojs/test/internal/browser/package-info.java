/**
 * Which part of its tests and cases a build tries.
 */
@NullMarked
package io.ojs.test.internal.browser;

import org.jspecify.annotations.NullMarked;
