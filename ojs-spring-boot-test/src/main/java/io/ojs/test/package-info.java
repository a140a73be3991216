/**
 * What tests and locally run applications need from Spring's side.
 */
@NullMarked
package io.ojs.test;

import org.jspecify.annotations.NullMarked;
