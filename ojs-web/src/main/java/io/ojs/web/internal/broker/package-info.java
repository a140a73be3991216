/**
 * The broker, for operators.
 */
@NullMarked
package io.ojs.web.internal.broker;

import org.jspecify.annotations.NullMarked;
